import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { applyPlan } from '../../../cli/apply/execute.ts';
import { planConfiguration } from '../../../cli/apply/plan.ts';
import type { Configuration } from '../../../cli/configuration/model.ts';
import { isFields, type Fields } from '../../../domain/fields.ts';
import { startService } from '../../api/service.ts';
import { wholeClient } from '../import-from/service-client.ts';
import { actionsOf } from './plans.ts';

const test = suite('numbered names in files');
const service = await startService();
test.after(() => service.stop());
const client = wholeClient(service.request, service.first.keys.admin);

const web = (name: string, path: string, others: object = {}) => ({
  name,
  type: 'web',
  url: `https://example.com/${path}`,
  interval: 60,
  ...others,
});

/** Creates the checks of a case at different times, and their group. Returns their ids. */
const create = async (group: string, checks: readonly object[]): Promise<string[]> => {
  const made = await client.write('POST', '/v1/check-groups', { name: group });
  const group_id = isFields(made) ? made['id'] : null;
  const ids: string[] = [];
  for (const check of checks) {
    const one = await client.write('POST', '/v1/checks', { ...check, group_id, managed_by: 'apply' });
    ids.push(String((one as Fields)['id']));
    service.time.now += 1;
  }
  return ids;
};

/** Applies a configuration, and asserts that the next plan is empty. Returns the actions and the fields of each. */
const apply = async (checks: NonNullable<Configuration['checks']>, { prune = false } = {}) => {
  const configuration: Configuration = { checks };
  const plan = await planConfiguration(client, configuration, { prune });
  const { failures, conflicts } = await applyPlan(client, plan);
  assert.equal([failures, conflicts], [[], []]);
  const again = await planConfiguration(client, configuration, { prune });
  assert.equal(actionsOf(again), []);
  return plan.steps.map(({ action, label, fields }) => [`${action} ${label}`, Object.keys(fields).join()]);
};

const namesOf = async (ids: readonly string[]): Promise<unknown[]> =>
  Promise.all(ids.map(async (id) => ((await client.get(`/v1/checks/${id}`)) as Fields)['name']));

test('a numbered name is not written while an older object has the name without the number', async () => {
  const group = 'Staying';
  const ids = await create(group, [web('Shop', 'a'), web('Shop', 'b')]);
  assert.equal(await apply([web('Shop', 'a', { group }), web('Shop (2)', 'c', { group })]), [
    [`change check "${group} / Shop (2)"`, 'url'],
  ]);
  assert.equal(await namesOf(ids), ['Shop', 'Shop']);
});

test('a numbered name is written when the older object is renamed', async () => {
  const group = 'Renamed';
  const ids = await create(group, [web('Shop', 'a'), web('Shop', 'b'), web('Shop', 'c')]);
  assert.equal(
    await apply([
      web('Cart', 'a', { group, formerly: 'Shop' }),
      web('Shop (2)', 'b', { group }),
      web('Shop (3)', 'c', { group }),
    ]),
    [
      [`change check "${group} / Cart"`, 'name'],
      [`change check "${group} / Shop (2)"`, 'name'],
      [`change check "${group} / Shop (3)"`, 'name'],
    ],
  );
  assert.equal(await namesOf(ids), ['Cart', 'Shop (2)', 'Shop (3)']);
});

test('a numbered name is written when the older object moves, or the object itself', async () => {
  const group = 'Moved from';
  const [first = '', second = ''] = await create(group, [web('Shop', 'a'), web('Shop', 'b')]);
  const target = 'Moved to';
  await create(target, []);
  await apply([
    web('Shop', 'a', { group: target, formerly: { group, name: 'Shop' } }),
    web('Shop (2)', 'b', { group }),
  ]);
  assert.equal(await namesOf([first, second]), ['Shop', 'Shop (2)']);

  const from = 'Numbered from';
  const [, numbered = ''] = await create(from, [web('Shop', 'a'), web('Shop', 'b')]);
  const to = 'Numbered to';
  await create(to, []);
  assert.equal(
    await apply([
      web('Shop', 'a', { group: from }),
      web('Shop (2)', 'b', { group: to, formerly: { group: from, name: 'Shop (2)' } }),
    ]),
    [[`change check "${to} / Shop (2)"`, 'group,name']],
  );
  assert.equal(await namesOf([numbered]), ['Shop (2)']);
});

test('an object whose number is gone keeps its entry, and gets the name of the entry', async () => {
  const group = 'Deleted there';
  const [first = '', second = ''] = await create(group, [web('Shop', 'a'), web('Shop', 'b')]);
  await client.write('DELETE', `/v1/checks/${first}`);
  assert.equal(await apply([web('Shop (2)', 'b', { group })]), [[`change check "${group} / Shop (2)"`, 'name']]);
  assert.equal(await namesOf([second]), ['Shop (2)']);
});

test('a new object with a number in its name is no other object that differs from it', async () => {
  const group = 'Different';
  const [only = ''] = await create(group, [web('Shop', 'a')]);
  assert.equal(
    (await apply([web('Shop (2)', 'b', { group })])).map(([action]) => action),
    [`create check "${group} / Shop (2)"`],
  );
  assert.equal(await namesOf([only]), ['Shop']);
});

test('a numbered name is written when the older object is deleted by the same plan', async () => {
  const group = 'Pruned';
  const [, second = ''] = await create(group, [web('Shop', 'a'), web('Shop', 'b')]);
  const steps = await apply([web('Shop (2)', 'b', { group })], { prune: true });
  assert.ok(steps.some(([action, fields]) => action === `change check "${group} / Shop (2)"` && fields === 'name'));
  assert.equal(await namesOf([second]), ['Shop (2)']);
});

test.run();
