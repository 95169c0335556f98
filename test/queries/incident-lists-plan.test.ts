import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { incidents } from '../../projections/incidents/projection.ts';
import { indexedFields } from '../../stores/read-store/indexes.ts';
import type { Query } from '../../stores/read-store/port.ts';
import { openGenerationFiles } from '../../stores/read-store/sqlite/generation-files.ts';
import { openSqliteReadStore } from '../../stores/read-store/sqlite/open.ts';
import { countSql, findSql } from '../../stores/read-store/sqlite/query.ts';
import { temporaryDirectory } from '../stores/temporary.ts';

const test = suite('the ids and the version of an incident list are read from an index alone');

const GENERATION = { projection: 'incidents@1', number: 1 };
const { directory, remove } = temporaryDirectory();
const files = openGenerationFiles({ directory, mode: 'reader' });

test.before(async () => {
  const writer = openSqliteReadStore({ directory, mode: 'writer' });
  await writer.open(GENERATION, incidents.collections);
  await writer.close();
});
test.after(() => {
  files.close();
  remove();
});

const TABLE = {
  name: '"documents_incidents"',
  indexed: new Set(indexedFields({ indexes: incidents.collections.incidents.indexes })),
};

const planOf = ({ text, parameters }: ReturnType<typeof findSql>): string[] =>
  files
    .of(GENERATION)
    .connection.prepare(`EXPLAIN QUERY PLAN ${text}`)
    .all(...parameters)
    .map((row) => (row as { detail: string }).detail);

const PAGE = { page_id: 'page', kind: 'regular' };
const sort = { created_at: -1 } as const;

const QUERIES: Record<string, Query> = {
  'all incidents': { where: PAGE, sort, fields: ['id'] },
  'open incidents': { where: { ...PAGE, resolved_at: null }, sort, fields: ['id'] },
  'the last changed incident': {
    where: PAGE,
    sort: { changed_position: -1, updated_at: -1 },
    limit: 1,
    fields: ['id', 'changed_position', 'updated_at'],
  },
};

for (const [what, query] of Object.entries(QUERIES)) {
  test(`the query for ${what} reads only an index`, () => {
    const plan = planOf(findSql(TABLE, query));
    assert.is(plan.length, 1, plan.join('\n'));
    assert.match(plan[0] ?? '', /^SEARCH documents_incidents USING COVERING INDEX/);
  });
}

test('the query for the number of incidents reads only an index', () => {
  assert.match(planOf(countSql(TABLE, PAGE)).join(), /USING COVERING INDEX/);
});

test.run();
