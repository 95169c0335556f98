import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NotFound } from '../../../domain/errors.ts';
import {
  componentWithStatus,
  findComponent,
  listComponents,
  findNamedComponents,
} from '../../../queries/pages/components.ts';
import { findPage } from '../../../queries/pages/pages.ts';
import { CHECK, checkCreated, checkDeleted } from '../../domain/check/examples.ts';
import { componentAdded, PAGE, pageCreated } from '../../domain/page/examples.ts';
import { rejects } from '../../rejects.ts';
import { OTHER_ORGANIZATION, scopeOf } from '../engine/scope.ts';

const test = suite('queries of components');

const ELSEWHERE = (() => {
  const { type, data } = pageCreated({ subdomain: 'other' });
  const added = componentAdded('elsewhere');
  return [
    { type, data: { ...data, page_id: 'page00000002' } },
    { type: added.type, data: { ...added.data, page_id: 'page00000002' } },
  ];
})();

const FACTS = [
  pageCreated(),
  componentAdded('group', { name: 'Shop', group: true, position: 1 }),
  componentAdded('web', { name: 'Web', group_id: 'group', position: 3, status: 'degraded_performance' }),
  componentAdded('api', { name: 'API', group_id: 'group', position: 2, status: 'major_outage' }),
  ...ELSEWHERE,
];
const scope = scopeOf(FACTS);
const at = (component_id: string) => ({ page_id: PAGE, component_id });

test('a group has the worst status of its components, both alone and in a list', async () => {
  assert.is((await componentWithStatus(scope, at('group'))).status, 'major_outage');
  const listed = await listComponents(scope, await findPage(scope, PAGE));
  assert.equal(
    listed.map(({ id, status }) => [id, status]),
    [
      ['group', 'major_outage'],
      ['api', 'major_outage'],
      ['web', 'degraded_performance'],
    ],
  );
});

test('a component that is not a group is not found as a group', async () => {
  const kinds = { groupsOnly: true };
  assert.is((await findComponent(scope, at('group'), kinds)).id, 'group');
  await rejects(findComponent(scope, at('web'), kinds), NotFound, 'There is no such component group.');
  const listed = await listComponents(scope, await findPage(scope, PAGE), kinds);
  assert.equal(
    listed.map(({ id, status }) => [id, status]),
    [['group', 'major_outage']],
  );
});

test('a component of another page or organization is not found', async () => {
  await rejects(findComponent(scope, at('elsewhere')), NotFound, 'There is no such component.');
  const theirs = { ...scope, organizationId: OTHER_ORGANIZATION };
  await rejects(findComponent(theirs, at('web')), NotFound, 'There is no such page.');
});

test('a query by ids returns only components of the page, each once', async () => {
  const named = await findNamedComponents(scope, PAGE, ['web', 'elsewhere', 'nobody', 'web']);
  assert.equal([...named.keys()], ['web']);
});

test('a component does not show its check if that was deleted', async () => {
  const named = [checkCreated(), checkDeleted, componentAdded('late', { check_id: CHECK }), componentAdded('none')];
  const raced = scopeOf([pageCreated(), ...named]);
  assert.is((await componentWithStatus(raced, at('late'))).check_id, null);
  const listed = await listComponents(raced, await findPage(raced, PAGE));
  assert.equal(
    listed.map(({ check_id }) => check_id),
    [null, null],
  );
  const live = scopeOf([pageCreated(), checkCreated(), componentAdded('web', { check_id: CHECK })]);
  assert.is((await componentWithStatus(live, at('web'))).check_id, CHECK);
});

test('a long list of components shows no deleted checks, and reads only the ids of checks', async () => {
  const ids = Array.from({ length: 30 }, (_, index) => `check${index.toString().padStart(7, '0')}`);
  const facts = ids.flatMap((check_id) => {
    const { type, data } = checkCreated();
    return [{ type, data: { ...data, check_id } }, componentAdded(`of ${check_id}`, { check_id })];
  });
  const [first = ''] = ids;
  const gone = { type: 'CheckDeleted', data: { check_id: first } } as const;
  const raced = scopeOf([pageCreated(), ...facts, gone, componentAdded('late', { check_id: first })]);
  const page = await findPage(raced, PAGE);
  raced.reads.length = 0;
  const listed = await listComponents(raced, page);
  assert.equal(raced.reads, ['components.find', 'checks.pick']);
  const named = listed.flatMap(({ check_id }) => check_id ?? []);
  assert.equal(named.sort(), ids.slice(1));
});

test('a query of components by an empty list of ids reads nothing', async () => {
  const observed = scopeOf(FACTS);
  await findNamedComponents(observed, PAGE, []);
  assert.equal(observed.reads, []);
});

test.run();
