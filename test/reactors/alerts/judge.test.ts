import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HOUR, MINUTE, SECOND, stage } from './stage.ts';

const test = suite('the reactor of alert rules');

test('lets an alert fire once when the check fails, and resolves it when it no longer does', async () => {
  const { ok, bad, settle, told, last, pass } = await stage();
  await ok();
  await settle();
  assert.equal(await told(), []);
  for (let i = 0; i < 3; i++) {
    pass(MINUTE);
    await bad();
    await settle();
  }
  assert.equal(await told(), ['fired 1']);
  pass(MINUTE);
  await ok();
  await settle();
  await settle();
  assert.equal(await told(), ['fired 1', 'resolved 1: condition']);
  assert.is(((await last('AlertResolved')) as { duration: number }).duration, 180);
});

test('tells what the run said: region, reason, since when', async () => {
  const { bad, settle, last, pass } = await stage({ confirmations: 2, name: 'Shop is up' });
  await bad();
  pass(MINUTE);
  await bad();
  await settle();
  const { title, rule_name, check_name, trigger_results, regional_summary, description } = (await last(
    'AlertFired',
  )) as Record<string, unknown> & { trigger_results: object[]; regional_summary: object[] };
  assert.equal([title, rule_name, check_name], ['Shop is down', 'Shop is up', 'Shop']);
  assert.is(
    description,
    'The check Shop has failed since 2026-11-20 15:00:01 UTC. Last error: Connection refused by 127.0.0.1:443.',
  );
  assert.is(trigger_results.length, 1);
  assert.equal(regional_summary, [
    {
      region: 'RU, Moscow',
      status: 'down',
      response_time: null,
      error_message: 'Connection refused by 127.0.0.1:443.',
      holds: true,
    },
  ]);
});

test('late and suspect results, and those that come again, change nothing', async () => {
  const { ok, bad, settle, told } = await stage();
  await ok({ run_id: 'run000000001' });
  await bad({ late: true });
  await bad({ suspect: true });
  await settle();
  assert.equal(await told(), []);
  await bad();
  await settle();
  await ok({ run_id: 'run000000001' });
  await ok({ late: true });
  await settle();
  assert.equal(await told(), ['fired 1']);
});

test('what happened while nobody judged counts as it is now', async () => {
  const { ok, bad, settle, told, kill } = await stage();
  await ok();
  await settle();
  kill();
  await bad();
  await ok();
  await settle();
  assert.equal(await told(), []);
  kill();
  await bad();
  await settle();
  kill();
  await settle();
  assert.equal(await told(), ['fired 1']);
  kill();
  await ok();
  await settle();
  assert.equal(await told(), ['fired 1', 'resolved 1: condition']);
});

test('two that judge at once let an alert fire once and resolve it once', async () => {
  const { ok, bad, settle, told } = await stage();
  for (let i = 0; i < 3; i++) {
    await bad();
    await settle(2);
    await ok();
    await settle(2);
  }
  assert.equal(
    await told(),
    [1, 2, 3].flatMap((n) => [`fired ${n.toString()}`, `resolved ${n.toString()}: condition`]),
  );
});

test('an acknowledged alert resolves by itself too, and blocks new ones until then', async () => {
  const { ok, bad, settle, told, acknowledge } = await stage();
  await bad();
  await settle();
  await acknowledge(1);
  await bad();
  await settle();
  await ok();
  await settle();
  assert.equal(await told(), ['fired 1', 'AlertAcknowledged 1', 'resolved 1: condition']);
});

test('after the cooldown, which counts from the start of the alert before, it fires again', async () => {
  const { ok, bad, settle, told, pass, next } = await stage({ cooldown_period: 600 });
  await bad();
  await settle();
  pass(MINUTE);
  await ok();
  await settle();
  pass(MINUTE);
  await bad();
  await settle();
  assert.is((await told()).length, 2);
  assert.is(await next(), 8 * MINUTE);
  pass(8 * MINUTE - 1);
  await settle();
  assert.is((await told()).length, 2);
  pass(1);
  await settle();
  assert.is((await told()).at(-1), 'fired 2');
});

test('a clock that is set back blocks nothing', async () => {
  const { ok, bad, settle, told, pass } = await stage({ cooldown_period: 600 });
  pass(48 * HOUR);
  await bad();
  await settle();
  await ok();
  await settle();
  await bad();
  await settle();
  assert.is((await told()).length, 2);
  pass(-48 * HOUR);
  await settle();
  assert.equal(await told(), ['fired 1', 'resolved 1: condition', 'fired 2']);
});

test('after a person has resolved it, it fires only once it was seen to have stopped', async () => {
  const { ok, bad, settle, told, pass, resolve, kill } = await stage();
  await bad();
  await settle();
  pass(SECOND);
  await resolve(1);
  pass(SECOND);
  await bad();
  await settle();
  assert.equal(await told(), ['fired 1', 'resolved 1: person']);
  pass(SECOND);
  await ok();
  await settle();
  assert.is((await told()).at(-1), 'AlertConditionEnded 1');
  kill();
  pass(SECOND);
  await bad();
  await settle();
  assert.is((await told()).at(-1), 'fired 2');
});

test('that it had stopped is seen later too, and remembered for longer than runs are', async () => {
  const { ok, bad, settle, told, pass, resolve, kill } = await stage({ cooldown_period: 3_600 });
  await bad();
  await settle();
  await resolve(1);
  pass(SECOND);
  await settle();
  kill();
  await ok();
  pass(SECOND);
  await bad();
  await settle();
  assert.is((await told()).at(-1), 'AlertConditionEnded 1');
  for (let i = 0; i < 30; i++) {
    pass(MINUTE);
    await bad();
  }
  kill();
  await settle();
  assert.is((await told()).length, 3);
  pass(HOUR);
  await settle();
  assert.is((await told()).at(-1), 'fired 2');
});

test('a rule that is disabled or deleted, or is about another check, resolves its alert', async () => {
  for (const [how, because] of [
    ['disabled', 'rule_disabled'],
    ['deleted', 'rule_deleted'],
    ['moved', 'rule_changed'],
    ['without its check', 'check_deleted'],
    ['of a paused check', 'check_paused'],
  ] as const) {
    const { bad, settle, told, changeRule, deleteRule, deleteCheck, changeCheck } = await stage();
    await bad();
    await settle();
    if (how === 'disabled') await changeRule({ enabled: false });
    else if (how === 'deleted') await deleteRule();
    else if (how === 'moved') await changeRule({ check_id: 'check0000002' });
    else if (how === 'without its check') await deleteCheck();
    else await changeCheck({ active: false });
    await bad();
    await settle();
    await settle();
    assert.equal(await told(), ['fired 1', `resolved 1: ${because}`], how);
  }
});

test('the alert of a deleted check stays resolved when the check is restored, and its rule may let another one fire', async () => {
  const { bad, settle, told, pass, deleteCheck, restoreCheck } = await stage();
  await bad();
  await settle();
  await deleteCheck();
  await settle();
  await settle();
  assert.equal(await told(), ['fired 1', 'resolved 1: check_deleted']);
  pass(SECOND);
  await restoreCheck();
  await settle();
  // What was seen before the check was restored does not count.
  assert.is((await told()).length, 2);
  pass(SECOND);
  await bad();
  await settle();
  assert.is((await told()).at(-1), 'fired 2');
});

test('the alert of a rule that went while nobody judged is resolved', async () => {
  const { bad, settle, told, deleteRule, kill } = await stage();
  await bad();
  await settle();
  kill();
  await deleteRule();
  await settle();
  assert.equal(await told(), ['fired 1', 'resolved 1: rule_deleted']);
});

test('a rule that is changed while its alert is active is judged as it is now', async () => {
  const { ok, bad, settle, told, changeRule } = await stage();
  await bad();
  await settle();
  await changeRule({ condition: 'check_timeout' });
  await settle();
  assert.equal(await told(), ['fired 1', 'resolved 1: condition']);
  await changeRule({ condition: 'check_failed', auto_resolve: false });
  await settle();
  await ok();
  await settle();
  assert.is((await told()).at(-1), 'fired 2');
  await changeRule({ auto_resolve: true });
  await settle();
  assert.is((await told()).at(-1), 'resolved 2: condition');
});

test('a paused check lets nothing fire, and when it runs again what was seen before does not count', async () => {
  const { bad, settle, told, changeCheck, pass } = await stage();
  await changeCheck({ active: false });
  await bad();
  await settle();
  pass(SECOND);
  await changeCheck({ active: true });
  await settle();
  assert.equal(await told(), []);
  pass(SECOND);
  await bad();
  await settle();
  assert.equal(await told(), ['fired 1']);
});

test('of a check that watches something else nothing is judged by what it watched before', async () => {
  const { ok, bad, settle, told, changeCheck, definition } = await stage();
  const old = definition();
  await bad();
  await settle();
  await changeCheck({ url: 'https://shop.example/other' });
  await ok({ definition: old });
  await settle();
  assert.equal(await told(), ['fired 1']);
  await ok();
  await settle();
  assert.is((await told()).at(-1), 'resolved 1: condition');
  await changeCheck({ url: 'https://shop.example/third' });
  await bad({ definition: definition() });
  await settle();
  assert.is((await told()).at(-1), 'fired 2');
});

test('during a maintenance nothing fires; at its end what still holds does', async () => {
  const { ok, bad, settle, told, quiet } = await stage();
  await quiet(true);
  await bad();
  await settle();
  assert.equal(await told(), []);
  await quiet(false);
  await settle();
  assert.equal(await told(), ['fired 1']);
  await quiet(true);
  await ok();
  await settle();
  assert.is((await told()).at(-1), 'resolved 1: condition');
});

test('during a maintenance of a component with a tag nothing fires for checks that have the tag then', async () => {
  const { ok, bad, settle, told, quietTag, changeCheck } = await stage();
  await changeCheck({ tags: ['eu', 'prod'] });
  await quietTag('prod', true);
  await bad();
  await settle();
  assert.equal(await told(), []);
  await quietTag('prod', false);
  await settle();
  assert.equal(await told(), ['fired 1']);
  await ok();
  await settle();
  await quietTag('prod', true);
  await bad();
  await settle();
  assert.equal(await told(), ['fired 1', 'resolved 1: condition']);
  await changeCheck({ tags: ['eu'] });
  await settle();
  assert.is((await told()).at(-1), 'fired 2');
});

test('a process that takes over during a maintenance of a component with a tag lets nothing fire either', async () => {
  const { bad, settle, told, quietTag, changeCheck, kill } = await stage();
  await changeCheck({ tags: ['prod'] });
  await settle();
  await quietTag('prod', true);
  kill();
  await bad();
  await settle();
  assert.equal(await told(), []);
});

test('confirmations and recoveries ask for so many runs in a row', async () => {
  const { ok, bad, settle, told } = await stage({ confirmations: 3, recovery_confirmations: 2 });
  const seen = async (...runs: (() => Promise<void>)[]): Promise<number> => {
    for (const run of runs) {
      await run();
      await settle();
    }
    return (await told()).length;
  };
  assert.is(await seen(bad, bad, ok, bad, bad), 0);
  assert.is(await seen(bad), 1);
  assert.is(await seen(ok, bad, ok), 1);
  assert.is(await seen(ok), 2);
});

test('failures in a row are counted over more runs than are known one by one', async () => {
  const rule = { condition: 'consecutive_failures', condition_parameters: { count: 45 } } as const;
  const { ok, bad, settle, told } = await stage(rule);
  await ok();
  for (let i = 0; i < 44; i++) await bad();
  await settle();
  assert.equal(await told(), []);
  await bad();
  await settle();
  assert.equal(await told(), ['fired 1']);
});

test('of more runs than are known one by one those before the check was activated again do not count either', async () => {
  const { bad, settle, told, last, pass, changeCheck } = await stage({
    condition: 'consecutive_failures',
    condition_parameters: { count: 30 },
  });
  const fail = async (times: number): Promise<void> => {
    for (let i = 0; i < times; i++) {
      pass(MINUTE);
      await bad();
    }
    await settle();
  };
  await fail(29);
  pass(MINUTE);
  await changeCheck({ active: false });
  await settle();
  await changeCheck({ active: true });
  await fail(29);
  assert.equal(await told(), []);
  await fail(1);
  assert.equal(await told(), ['fired 1']);
  assert.match(((await last('AlertFired')) as { description: string }).description, /last 30 runs/);
});

test('uptime is that of whole hours, and is judged again when one leaves the window', async () => {
  const parameters = { threshold: 90, window_seconds: 7_200 };
  const { ok, bad, settle, told, pass, next, last } = await stage({
    condition: 'uptime_below_threshold',
    condition_parameters: parameters,
  });
  for (let i = 0; i < 5; i++) await bad();
  pass(HOUR);
  for (let i = 0; i < 30; i++) await ok();
  await settle();
  assert.equal(await told(), ['fired 1']);
  assert.match(((await last('AlertFired')) as { description: string }).description, '85.71 %');
  pass(HOUR);
  await settle();
  assert.equal(await told(), ['fired 1']);
  const wait = (await next()) ?? 0;
  assert.ok(wait > 0 && wait <= HOUR);
  pass(wait);
  await settle();
  assert.equal(await told(), ['fired 1', 'resolved 1: condition']);
});

test.run();
