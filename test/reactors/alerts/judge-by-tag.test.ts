import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { acknowledgeAlert, resolveAlert } from '../../../commands/alerts/alerts.ts';
import { alertIdOf } from '../../../domain/alert/identity.ts';
import { CHECK } from '../../domain/check/examples.ts';
import { MINUTE, RULE, stage } from './stage.ts';

const test = suite('alert rules by tag');

const [SHOP, API, BLOG] = ['check0000002', 'check0000003', 'check0000004'] as const;

/** Creates two checks with the tag of the rule, and two without it. */
const tagged = async (fields: Parameters<typeof stage>[0] = {}) => {
  const given = await stage({ check_id: null, tag: 'prod', ...fields });
  await given.addCheck(SHOP, ['eu', 'prod']);
  await given.addCheck(API, ['prod']);
  await given.addCheck(BLOG, ['test']);
  return given;
};

test('each check with the tag of a rule has its own alerts, one at a time', async () => {
  const given = await tagged();
  for (const check_id of [CHECK, SHOP, API, BLOG]) await given.bad({ check_id });
  await given.settle();
  assert.equal(await given.toldByCheck(), [`${SHOP} fired 1`, `${API} fired 1`]);
  await given.bad({ check_id: SHOP });
  await given.ok({ check_id: API });
  await given.settle();
  assert.equal((await given.toldByCheck()).slice(2), [`${API} resolved 1: condition`]);
  await given.bad({ check_id: API });
  await given.settle();
  assert.equal((await given.toldByCheck()).slice(3), [`${API} fired 2`]);
});

test('results that arrive while other checks are read fire alerts of a rule by tag', async () => {
  const given = await tagged();
  await given.settle();
  await given.addCheck('check0000005', ['prod']);
  given.meanwhile(() => given.bad({ check_id: SHOP }));
  await given.settle();
  await given.settle();
  assert.equal(await given.toldByCheck(), [`${SHOP} fired 1`]);
});

test('a process that takes over fires no alert of a rule by tag twice', async () => {
  const given = await tagged();
  await given.bad({ check_id: SHOP });
  await given.settle(2);
  given.kill();
  await given.bad({ check_id: SHOP });
  await given.bad({ check_id: API });
  await given.settle(2);
  await given.ok({ check_id: SHOP });
  given.kill();
  await given.settle();
  assert.equal(await given.toldByCheck(), [`${SHOP} fired 1`, `${API} fired 1`, `${SHOP} resolved 1: condition`]);
});

test('a rule by tag applies to a check that gets the tag later, and not to one that loses it', async () => {
  const given = await tagged();
  await given.bad({ check_id: BLOG });
  await given.bad({ check_id: SHOP });
  await given.settle();
  await given.retag(BLOG, ['prod', 'test']);
  await given.settle();
  assert.equal(await given.toldByCheck(), [`${SHOP} fired 1`, `${BLOG} fired 1`]);
  await given.retag(SHOP, ['eu']);
  await given.settle();
  await given.bad({ check_id: SHOP });
  await given.settle();
  assert.equal((await given.toldByCheck()).slice(2), [`${SHOP} resolved 1: rule_changed`]);
  await given.retag(SHOP, ['prod']);
  await given.settle();
  assert.equal((await given.toldByCheck()).slice(3), [`${SHOP} fired 2`]);
});

test('changes of tags and deletions of checks during downtime end alerts of rules by tag', async () => {
  const given = await tagged();
  for (const check_id of [SHOP, API]) await given.bad({ check_id });
  await given.settle();
  given.kill();
  await given.retag(SHOP, []);
  await given.removeCheck(API);
  await given.settle();
  assert.equal((await given.toldByCheck()).slice(2).sort(), [
    `${SHOP} resolved 1: rule_changed`,
    `${API} resolved 1: check_deleted`,
  ]);
});

test('the alert of a rule by tag ends when its check is deleted', async () => {
  const given = await tagged();
  for (const check_id of [SHOP, API]) await given.bad({ check_id });
  await given.settle();
  await given.removeCheck(SHOP);
  await given.settle();
  assert.equal((await given.toldByCheck()).slice(2), [`${SHOP} resolved 1: check_deleted`]);
});

test('alerts of a rule by tag end when the rule is deleted, even during downtime', async () => {
  for (const isJudged of [true, false]) {
    const given = await tagged();
    for (const check_id of [SHOP, API]) await given.bad({ check_id });
    await given.settle();
    if (!isJudged) given.kill();
    await given.deleteRule();
    await given.settle();
    assert.equal((await given.toldByCheck()).slice(2).sort(), [
      `${SHOP} resolved 1: rule_deleted`,
      `${API} resolved 1: rule_deleted`,
    ]);
  }
});

test('a rule by tag that is changed to another tag or to one check is evaluated on its new targets', async () => {
  const given = await tagged();
  for (const check_id of [CHECK, SHOP, API, BLOG]) await given.bad({ check_id });
  await given.settle();
  await given.changeRule({ tag: 'eu' });
  await given.settle();
  assert.equal((await given.toldByCheck()).slice(2), [`${API} resolved 1: rule_changed`]);
  await given.changeRule({ tag: null, check_id: CHECK });
  await given.settle();
  assert.equal((await given.toldByCheck()).slice(3).sort(), [`${CHECK} fired 1`, `${SHOP} resolved 1: rule_changed`]);
  await given.changeRule({ tag: 'prod', check_id: null });
  await given.settle();
  assert.equal((await given.toldByCheck()).slice(5).sort(), [
    `${CHECK} resolved 1: rule_changed`,
    `${SHOP} fired 2`,
    `${API} fired 2`,
  ]);
});

test('alerts of a rule by tag end when the rule is disabled or their check is paused', async () => {
  const given = await tagged();
  for (const check_id of [SHOP, API]) await given.bad({ check_id });
  await given.settle();
  await given.append({ type: 'CheckUpdated', data: { check_id: API, changes: { active: false }, previous: {} } });
  await given.settle();
  await given.changeRule({ enabled: false });
  await given.settle();
  assert.equal((await given.toldByCheck()).slice(2), [
    `${API} resolved 1: check_paused`,
    `${SHOP} resolved 1: rule_disabled`,
  ]);
});

test('cooldown, acknowledgement and resolution of a rule by tag are separate for each check', async () => {
  const given = await tagged({ cooldown_period: 300 });
  for (const check_id of [SHOP, API]) await given.bad({ check_id });
  await given.settle();
  const shop = alertIdOf(`${RULE}/${SHOP}`, 1);
  await given.as(acknowledgeAlert, shop);
  await given.as(resolveAlert, shop);
  await given.ok({ check_id: API });
  await given.settle();
  for (const check_id of [SHOP, API]) await given.bad({ check_id });
  await given.settle();
  given.pass(5 * MINUTE);
  await given.settle();
  assert.equal((await given.toldByCheck()).slice(2), [
    `${SHOP} AlertAcknowledged 1`,
    `${SHOP} resolved 1: person`,
    `${API} resolved 1: condition`,
    // An alert resolved by a user fires again only after its condition has ended.
    `${API} fired 2`,
  ]);
});

test('a check that gets the tag of a maintenance in progress fires no alert', async () => {
  const given = await stage({ check_id: null, tag: 'prod' });
  await given.addCheck(SHOP, ['prod']);
  await given.quiet(true);
  await given.bad();
  await given.settle();
  await given.retag(CHECK, ['prod']);
  await given.settle();
  assert.equal(await given.toldByCheck(), []);
  await given.quiet(false);
  await given.settle();
  assert.equal(await given.toldByCheck(), [`${CHECK} fired 1`]);
});

test.run();
