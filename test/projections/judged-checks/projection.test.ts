import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { EventOf } from '../../../domain/event-types.ts';
import type { CheckGroupFields } from '../../../domain/check-group/events.ts';
import { judgedChecks, runsByItself } from '../../../projections/judged-checks/projection.ts';
import {
  CHECK,
  checkCreated,
  checkDeleted,
  checkRestored,
  checkUpdated,
  ORGANIZATION,
} from '../../domain/check/examples.ts';
import type { Fact } from '../history.ts';
import { projection, projectionRules } from '../specification.ts';

const GROUP = 'group0000001';

const grouped = (group_id: string | null): EventOf<'CheckGrouped'> => ({
  type: 'CheckGrouped',
  data: {
    check_id: CHECK,
    group_id,
    position: group_id === null ? null : 1,
    previous: { group_id: null, position: null },
  },
});
const groupCreated = (active: boolean): EventOf<'CheckGroupCreated'> => ({
  type: 'CheckGroupCreated',
  data: {
    check_group_id: GROUP,
    organization_id: ORGANIZATION,
    check_group: { name: 'Shops', description: null, color: null, position: 1, active },
  },
});
const groupUpdated = (changes: Partial<CheckGroupFields>): EventOf<'CheckGroupUpdated'> => ({
  type: 'CheckGroupUpdated',
  data: { check_group_id: GROUP, changes, previous: {} },
});
const groupDeleted: EventOf<'CheckGroupDeleted'> = { type: 'CheckGroupDeleted', data: { check_group_id: GROUP } };

projectionRules(judgedChecks, [
  checkCreated(),
  groupCreated(true),
  grouped(GROUP),
  groupUpdated({ active: false }),
  checkUpdated({ name: 'Shops' }, {}),
  groupDeleted,
  checkDeleted,
  checkRestored(),
]);

const test = suite('checks as followed by alert rules');

/** Returns whether the check runs on its schedule, and the second of the minute in which that state began. */
const states = async (...facts: Fact[]): Promise<[boolean, string] | null> => {
  const given = projection(judgedChecks).given(...facts);
  const check = await given.document('judged_checks', CHECK);
  if (!check) return null;
  const group = check.group_id === null ? null : await given.document('judged_groups', check.group_id);
  const { active, active_since } = runsByItself(check, group);
  return [active, active_since.slice(17, 19)];
};

test('a check runs on its schedule while it is active', async () => {
  assert.equal(await states(checkCreated()), [true, '00']);
  assert.equal(await states(checkCreated(), checkUpdated({ active: false }, {})), [false, '00']);
  const again = [checkUpdated({ active: false }, {}), checkUpdated({ active: true }, {})];
  assert.equal(await states(checkCreated(), ...again), [true, '02']);
});

test('a restored check runs on its schedule from its restoration on, if it is active', async () => {
  assert.is(await states(checkCreated(), checkDeleted), null);
  assert.equal(await states(checkCreated(), checkDeleted, checkRestored()), [true, '02']);
  assert.equal(await states(checkCreated(), checkDeleted, checkRestored({ active: false })), [false, '02']);
});

test('a check in a group runs on its schedule while the group is active', async () => {
  const paused = [checkCreated(), groupCreated(false), grouped(GROUP)];
  assert.equal(await states(...paused), [false, '00']);
  assert.equal(await states(...paused, groupUpdated({ name: 'Others' })), [false, '00']);
  assert.equal(await states(...paused, groupUpdated({ active: true })), [true, '03']);
  assert.equal(await states(...paused, grouped(null)), [true, '03']);
  assert.equal(await states(...paused, groupDeleted), [true, '03']);
  assert.equal(await states(...paused, checkUpdated({ timeout: 3 }, {})), [false, '00']);
});

test('the pause of its previous group does not affect a check that moves into an active group', async () => {
  const on = [checkCreated(), groupCreated(false), groupUpdated({ active: true }), grouped(GROUP)];
  assert.equal(await states(...on), [true, '00']);
  const off = [...on, groupUpdated({ active: false }), groupUpdated({ active: true })];
  assert.equal(await states(...off), [true, '05']);
});

test('the pause of a check group rewrites no document of its checks', async () => {
  const given = projection(judgedChecks).given(checkCreated(), groupCreated(true), grouped(GROUP));
  const before = await given.document('judged_checks', CHECK);
  const after = projection(judgedChecks).given(
    checkCreated(),
    groupCreated(true),
    grouped(GROUP),
    groupUpdated({ active: false }),
    groupDeleted,
  );
  assert.equal(await after.document('judged_checks', CHECK), before);
});

test('each change of a check is listed, and a deleted check is removed', async () => {
  const given = projection(judgedChecks).given(checkCreated(), checkUpdated({ url: 'https://shop.example/2' }, {}));
  assert.is((await given.document('judged_checks', CHECK))?.changed_position, 20);
  await projection(judgedChecks).given(checkCreated(), checkDeleted).thenNone('judged_checks');
});

test.run();
