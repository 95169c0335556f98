import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checks } from '../../../projections/checks/projection.ts';
import { findChecksWithTag } from '../../../queries/checks/tags.ts';
import { indexedFields } from '../../../stores/read-store/indexes.ts';
import { openGenerationFiles } from '../../../stores/read-store/sqlite/generation-files.ts';
import { openSqliteReadStore } from '../../../stores/read-store/sqlite/open.ts';
import { findSql } from '../../../stores/read-store/sqlite/query.ts';
import { checkCreated, checkUpdated } from '../../domain/check/examples.ts';
import type { Fact } from '../../projections/history.ts';
import { temporaryDirectory } from '../../stores/temporary.ts';
import { OTHER_ORGANIZATION, ORGANIZATION, scopeOf } from '../engine/scope.ts';

const test = suite('the checks with a tag');

const check = (check_id: string, tags: string[], organization_id = ORGANIZATION): Fact => {
  const { type, data } = checkCreated({ tags });
  return { type, data: { ...data, check_id, organization_id }, stream: `check-${check_id}` };
};

test("a query returns the ids of the organization's checks with a tag, up to a limit", async () => {
  const { data } = checkUpdated({ tags: ['eu'] }, { tags: ['prod'] });
  const scope = scopeOf([
    check('check0000003', ['prod']),
    check('check0000001', ['eu', 'prod']),
    check('check0000002', ['prod-2']),
    check('check0000004', ['prod'], OTHER_ORGANIZATION),
    check('check0000005', ['prod']),
    { type: 'CheckUpdated', data: { ...data, check_id: 'check0000005' }, stream: 'check-check0000005' },
  ]);
  assert.equal(await findChecksWithTag(scope, 'prod', 10), ['check0000001', 'check0000003']);
  assert.equal(await findChecksWithTag(scope, 'prod', 1), ['check0000001']);
  assert.equal(await findChecksWithTag(scope, 'us', 10), []);
});

test('the query for checks with a tag reads only an index', async () => {
  const { directory, remove } = temporaryDirectory();
  const generation = { projection: 'checks@1', number: 1 };
  const writer = openSqliteReadStore({ directory, mode: 'writer' });
  await writer.open(generation, checks.collections);
  await writer.close();
  const files = openGenerationFiles({ directory, mode: 'reader' });
  const { indexes } = checks.collections.check_tags;
  const { text, parameters } = findSql(
    { name: '"documents_check_tags"', indexed: new Set(indexedFields({ indexes })) },
    { where: { organization_id: ORGANIZATION, tag: 'prod' }, sort: { check_id: 1 }, limit: 10, fields: ['check_id'] },
  );
  const plan = files
    .of(generation)
    .connection.prepare(`EXPLAIN QUERY PLAN ${text}`)
    .all(...parameters)
    .map((row) => (row as { detail: string }).detail);
  files.close();
  remove();
  assert.is(plan.length, 1, plan.join('\n'));
  assert.match(plan[0] ?? '', /^SEARCH documents_check_tags USING COVERING INDEX/);
});

test.run();
