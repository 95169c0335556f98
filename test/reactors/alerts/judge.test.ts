import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { HOUR, MINUTE, SECOND, stage } from './stage.ts';

const test = suite('the alert-rules reactor');

test('an alert fires once when the check fails, and is resolved when the check recovers', async () => {
  const { ok, bad, settle, receivers, last, pass } = await stage();
  await ok();
  await settle();
  assert.equal(await receivers(), []);
  for (let i = 0; i < 3; i++) {
    pass(MINUTE);
    await bad();
    await settle();
  }
  assert.equal(await receivers(), ['fired 1']);
  pass(MINUTE);
  await ok();
  await settle();
  await settle();
  assert.equal(await receivers(), ['fired 1', 'resolved 1: condition']);
  assert.is(((await last('AlertResolved')) as { duration: number }).duration, 180);
});

test('an alert contains the region, reason and time of the run', async () => {
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

test('late, suspect and repeated results of a check fire no alert', async () => {
  const { ok, bad, settle, receivers } = await stage();
  await ok({ run_id: 'run000000001' });
  await bad({ late: true });
  await bad({ suspect: true });
  await settle();
  assert.equal(await receivers(), []);
  await bad();
  await settle();
  await ok({ run_id: 'run000000001' });
  await ok({ late: true });
  await settle();
  assert.equal(await receivers(), ['fired 1']);
});

test('after a downtime, only the newest of several results of a check decides about its alert', async () => {
  const { ok, bad, settle, receivers, kill } = await stage();
  await ok();
  await settle();
  kill();
  await bad();
  await ok();
  await settle();
  assert.equal(await receivers(), []);
  kill();
  await bad();
  await settle();
  kill();
  await settle();
  assert.equal(await receivers(), ['fired 1']);
  kill();
  await ok();
  await settle();
  assert.equal(await receivers(), ['fired 1', 'resolved 1: condition']);
});

test('two concurrent processes fire an alert once and resolve it once', async () => {
  const { ok, bad, settle, receivers } = await stage();
  for (let i = 0; i < 3; i++) {
    await bad();
    await settle(2);
    await ok();
    await settle(2);
  }
  assert.equal(
    await receivers(),
    [1, 2, 3].flatMap((n) => [`fired ${n}`, `resolved ${n}: condition`]),
  );
});

test('an acknowledged alert is resolved automatically, and blocks new alerts until then', async () => {
  const { ok, bad, settle, receivers, acknowledge } = await stage();
  await bad();
  await settle();
  await acknowledge(1);
  await bad();
  await settle();
  await ok();
  await settle();
  assert.equal(await receivers(), ['fired 1', 'AlertAcknowledged 1', 'resolved 1: condition']);
});

test('a rule fires again after its cooldown, which starts with the previous alert', async () => {
  const { ok, bad, settle, receivers, pass, next } = await stage({ cooldown_period: 600 });
  await bad();
  await settle();
  pass(MINUTE);
  await ok();
  await settle();
  pass(MINUTE);
  await bad();
  await settle();
  assert.is((await receivers()).length, 2);
  assert.is(await next(), 8 * MINUTE);
  pass(8 * MINUTE - 1);
  await settle();
  assert.is((await receivers()).length, 2);
  pass(1);
  await settle();
  assert.is((await receivers()).at(-1), 'fired 2');
});

test('a clock that is set back blocks no alert', async () => {
  const { ok, bad, settle, receivers, pass } = await stage({ cooldown_period: 600 });
  pass(48 * HOUR);
  await bad();
  await settle();
  await ok();
  await settle();
  await bad();
  await settle();
  assert.is((await receivers()).length, 2);
  pass(-48 * HOUR);
  await settle();
  assert.equal(await receivers(), ['fired 1', 'resolved 1: condition', 'fired 2']);
});

test('after a user has resolved an alert, the rule fires again only after its condition has ended', async () => {
  const { ok, bad, settle, receivers, pass, resolve, kill } = await stage();
  await bad();
  await settle();
  pass(SECOND);
  await resolve(1);
  pass(SECOND);
  await bad();
  await settle();
  assert.equal(await receivers(), ['fired 1', 'resolved 1: person']);
  pass(SECOND);
  await ok();
  await settle();
  assert.is((await receivers()).at(-1), 'AlertConditionEnded 1');
  kill();
  pass(SECOND);
  await bad();
  await settle();
  assert.is((await receivers()).at(-1), 'fired 2');
});

test('the end of a condition is also noticed after a restart, and remains known when its runs are no longer stored', async () => {
  const { ok, bad, settle, receivers, pass, resolve, kill } = await stage({ cooldown_period: 3_600 });
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
  assert.is((await receivers()).at(-1), 'AlertConditionEnded 1');
  for (let i = 0; i < 30; i++) {
    pass(MINUTE);
    await bad();
  }
  kill();
  await settle();
  assert.is((await receivers()).length, 3);
  pass(HOUR);
  await settle();
  assert.is((await receivers()).at(-1), 'fired 2');
});

test('a rule that is disabled, deleted or changed to another check resolves its alert', async () => {
  for (const [how, because] of [
    ['disabled', 'rule_disabled'],
    ['deleted', 'rule_deleted'],
    ['moved', 'rule_changed'],
    ['without its check', 'check_deleted'],
    ['of a paused check', 'check_paused'],
  ] as const) {
    const { bad, settle, receivers, changeRule, deleteRule, deleteCheck, changeCheck } = await stage();
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
    assert.equal(await receivers(), ['fired 1', `resolved 1: ${because}`], how);
  }
});

test('the alert of a deleted check stays resolved when the check is restored, and its rule may fire again', async () => {
  const { bad, settle, receivers, pass, deleteCheck, restoreCheck } = await stage();
  await bad();
  await settle();
  await deleteCheck();
  await settle();
  await settle();
  assert.equal(await receivers(), ['fired 1', 'resolved 1: check_deleted']);
  pass(SECOND);
  await restoreCheck();
  await settle();
  // Results from before the restoration of the check do not count.
  assert.is((await receivers()).length, 2);
  pass(SECOND);
  await bad();
  await settle();
  assert.is((await receivers()).at(-1), 'fired 2');
});

test('the alert of a rule that was deleted during downtime is resolved', async () => {
  const { bad, settle, receivers, deleteRule, kill } = await stage();
  await bad();
  await settle();
  kill();
  await deleteRule();
  await settle();
  assert.equal(await receivers(), ['fired 1', 'resolved 1: rule_deleted']);
});

test('a rule that is changed while its alert is active is evaluated with the new condition', async () => {
  const { ok, bad, settle, receivers, changeRule } = await stage();
  await bad();
  await settle();
  await changeRule({ condition: 'check_timeout' });
  await settle();
  assert.equal(await receivers(), ['fired 1', 'resolved 1: condition']);
  await changeRule({ condition: 'check_failed', auto_resolve: false });
  await settle();
  await ok();
  await settle();
  assert.is((await receivers()).at(-1), 'fired 2');
  await changeRule({ auto_resolve: true });
  await settle();
  assert.is((await receivers()).at(-1), 'resolved 2: condition');
});

test('a paused check fires no alert, and its earlier results do not count when it runs again', async () => {
  const { bad, settle, receivers, changeCheck, pass } = await stage();
  await changeCheck({ active: false });
  await bad();
  await settle();
  pass(SECOND);
  await changeCheck({ active: true });
  await settle();
  assert.equal(await receivers(), []);
  pass(SECOND);
  await bad();
  await settle();
  assert.equal(await receivers(), ['fired 1']);
});

test('results of an earlier definition of a check do not count for its rules', async () => {
  const { ok, bad, settle, receivers, changeCheck, definition } = await stage();
  const old = definition();
  await bad();
  await settle();
  await changeCheck({ url: 'https://shop.example/other' });
  await ok({ definition: old });
  await settle();
  assert.equal(await receivers(), ['fired 1']);
  await ok();
  await settle();
  assert.is((await receivers()).at(-1), 'resolved 1: condition');
  await changeCheck({ url: 'https://shop.example/third' });
  await bad({ definition: definition() });
  await settle();
  assert.is((await receivers()).at(-1), 'fired 2');
});

test('during a maintenance no alert fires, and at its end alerts fire for conditions that are still met', async () => {
  const { ok, bad, settle, receivers, quiet } = await stage();
  await quiet(true);
  await bad();
  await settle();
  assert.equal(await receivers(), []);
  await quiet(false);
  await settle();
  assert.equal(await receivers(), ['fired 1']);
  await quiet(true);
  await ok();
  await settle();
  assert.is((await receivers()).at(-1), 'resolved 1: condition');
});

test('during a maintenance of a component with a tag, checks with the tag fire no alert', async () => {
  const { ok, bad, settle, receivers, quietTag, changeCheck } = await stage();
  await changeCheck({ tags: ['eu', 'prod'] });
  await quietTag('prod', true);
  await bad();
  await settle();
  assert.equal(await receivers(), []);
  await quietTag('prod', false);
  await settle();
  assert.equal(await receivers(), ['fired 1']);
  await ok();
  await settle();
  await quietTag('prod', true);
  await bad();
  await settle();
  assert.equal(await receivers(), ['fired 1', 'resolved 1: condition']);
  await changeCheck({ tags: ['eu'] });
  await settle();
  assert.is((await receivers()).at(-1), 'fired 2');
});

test('a process that takes over during a maintenance of a component with a tag fires no alert', async () => {
  const { bad, settle, receivers, quietTag, changeCheck, kill } = await stage();
  await changeCheck({ tags: ['prod'] });
  await settle();
  await quietTag('prod', true);
  kill();
  await bad();
  await settle();
  assert.equal(await receivers(), []);
});

test('the numbers of confirmations and of recoveries require as many consecutive runs', async () => {
  const { ok, bad, settle, receivers } = await stage({ confirmations: 3, recovery_confirmations: 2 });
  const seen = async (...runs: (() => Promise<void>)[]): Promise<number> => {
    for (const run of runs) {
      await run();
      await settle();
    }
    return (await receivers()).length;
  };
  assert.is(await seen(bad, bad, ok, bad, bad), 0);
  assert.is(await seen(bad), 1);
  assert.is(await seen(ok, bad, ok), 1);
  assert.is(await seen(ok), 2);
});

test('consecutive failures are counted beyond the runs that are stored individually', async () => {
  const rule = { condition: 'consecutive_failures', condition_parameters: { count: 45 } } as const;
  const { ok, bad, settle, receivers } = await stage(rule);
  await ok();
  for (let i = 0; i < 44; i++) await bad();
  await settle();
  assert.equal(await receivers(), []);
  await bad();
  await settle();
  assert.equal(await receivers(), ['fired 1']);
});

test('consecutive failures from before the check was reactivated do not count, even if their runs are no longer stored individually', async () => {
  const { bad, settle, receivers, last, pass, changeCheck } = await stage({
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
  assert.equal(await receivers(), []);
  await fail(1);
  assert.equal(await receivers(), ['fired 1']);
  assert.match(((await last('AlertFired')) as { description: string }).description, /last 30 runs/);
});

test('the uptime condition is evaluated over whole hours, and again when an hour leaves the window', async () => {
  const parameters = { threshold: 90, window_seconds: 7_200 };
  const { ok, bad, settle, receivers, pass, next, last } = await stage({
    condition: 'uptime_below_threshold',
    condition_parameters: parameters,
  });
  for (let i = 0; i < 5; i++) await bad();
  pass(HOUR);
  for (let i = 0; i < 30; i++) await ok();
  await settle();
  assert.equal(await receivers(), ['fired 1']);
  assert.match(((await last('AlertFired')) as { description: string }).description, '85.71 %');
  pass(HOUR);
  await settle();
  assert.equal(await receivers(), ['fired 1']);
  const wait = (await next()) ?? 0;
  assert.ok(wait > 0 && wait <= HOUR);
  pass(wait);
  await settle();
  assert.equal(await receivers(), ['fired 1', 'resolved 1: condition']);
});

test.run();
