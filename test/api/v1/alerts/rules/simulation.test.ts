import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CheckRunCompleted } from '../../../../../domain/check-result/events.ts';
import { instantOf, MINUTE_MS } from '../../../../../domain/time.ts';
import { resultOf } from '../../../../domain/check-result/examples.ts';
import type { Reply } from '../../../http.ts';
import { startService, type ServiceRequest } from '../../../service.ts';

const test = suite('POST /v1/alerts/rules/simulate');
const START = Date.UTC(2026, 10, 20, 12);
const service = await startService({ now: START });
const { first, second, time } = service;
test.after(() => service.stop());

const PATH = '/v1/alerts/rules/simulate';
const at = (minutes: number): number => START + minutes * MINUTE_MS;
const instant = (minutes: number): string => instantOf(at(minutes));

interface Simulation {
  alerts: {
    check_id: string;
    check_name: string;
    fired_at: string;
    resolved_at: string | null;
    duration: number;
    trigger_results: { reason: string | null; error_message: string | null; status: string }[];
  }[];
  runs: number;
  truncated: boolean;
}

const created = async (path: string, body: object, ask: ServiceRequest = {}): Promise<string> => {
  const reply = await service.request('POST', path, { ...ask, body });
  assert.ok(reply.status < 300, reply.text);
  return (reply.json() as { id: string }).id;
};
const aCheck = (name: string, more: object = {}, ask: ServiceRequest = {}): Promise<string> =>
  created('/v1/checks', { name, type: 'web', url: 'https://shop.example/', interval: 60, ...more }, ask);

const DOWN: Partial<CheckRunCompleted> = {
  status: 'down',
  reason: 'connect',
  response_time: null,
  error_message: 'Connection refused by 127.0.0.1:443.',
};

/** Records a result for each minute from the start on: `.` is ok, `x` is down. */
const record = async (check: string, results: string): Promise<void> => {
  const events = results
    .split('')
    .map((result, minute) =>
      resultOf(check, at(minute + 1), { organization_id: first.id, ...(result === 'x' && DOWN) }),
    );
  const { position } = await service.stores.results.append('check_results-ru-central1', events, 'any');
  await service.readers.waitFor(['check_results'], { appended: new Map([['results', position]]) });
};

const simulate = (body: object, ask: ServiceRequest = {}): Promise<Reply> =>
  service.request('POST', PATH, {
    key: first.keys.viewer,
    ...ask,
    body: { condition: 'check_failed', cooldown_period: 0, from: instant(0), to: instant(60), ...body },
  });
const simulation = async (body: object): Promise<Simulation> => {
  const reply = await simulate(body);
  assert.is(reply.status, 200, reply.text);
  return reply.json() as Simulation;
};
const broken = async (body: object, ask: ServiceRequest = {}): Promise<Record<string, string[]>> => {
  const reply = await simulate(body, ask);
  assert.is(reply.status, 422, reply.text);
  return (reply.json() as { errors: { json: Record<string, string[]> } }).errors.json;
};
const times = ({ alerts }: Simulation) => alerts.map(({ fired_at, resolved_at }) => [fired_at, resolved_at]);

const shop = await aCheck('Shop', { tags: ['prod'] });
const gate = await aCheck('Gate', { tags: ['prod'] });
await record(shop, '..xx.xxx...x');
await record(gate, '.x.');
time.now = at(60);

test('a simulation returns the alerts of the rule, with their times, durations and results', async () => {
  const found = await simulation({ check_id: shop, confirmations: 2 });
  assert.equal(times(found), [
    [instant(4), instant(5)],
    [instant(7), instant(9)],
  ]);
  assert.equal([found.runs, found.truncated], [12, false]);
  const [alert] = found.alerts;
  assert.equal([alert?.check_id, alert?.check_name, alert?.duration], [shop, 'Shop', 60]);
  const [result, ...others] = alert?.trigger_results ?? [];
  assert.equal(others, []);
  assert.equal([result?.status, result?.reason, result?.error_message], ['down', 'connect', DOWN.error_message]);
});

test('an alert that is active at the end of the simulated period lasts until the end of the period', async () => {
  const found = await simulation({ check_id: shop, from: instant(10) });
  assert.equal(times(found), [[instant(12), null]]);
  assert.is(found.alerts[0]?.duration, 48 * 60);
});

test('a date as the end of a simulation includes that day, and the date of today means now', async () => {
  const now = await simulation({ check_id: shop });
  assert.ok(now.runs > 0);
  const today = instant(0).slice(0, 10);
  assert.equal(await simulation({ check_id: shop, to: today }), now);
  assert.equal(await simulation({ check_id: shop, from: today, to: today }), now);
  assert.equal(Object.keys(await broken({ check_id: shop, to: '2026-11-21' })), ['to']);
  time.now = at(60 + 24 * 60);
  const past = await simulation({ check_id: shop, to: today });
  assert.equal([past.runs, times(past)], [now.runs, times(now)]);
  time.now = at(60);
});

test('if a condition holds at the start of the simulated period, an alert fires at the start', async () => {
  const found = await simulation({
    check_id: shop,
    condition: 'consecutive_failures',
    condition_parameters: { count: 2 },
    from: instantOf(at(7) + 1_000),
    to: instant(10),
  });
  assert.equal(times(found), [[instantOf(at(7) + 1_000), instant(9)]]);
});

test('a rule by tag is simulated on each check with the tag', async () => {
  const found = await simulation({
    tag: 'prod',
    condition: 'consecutive_failures',
    condition_parameters: { count: 1 },
  });
  assert.equal(
    found.alerts.map(({ check_name, fired_at }) => `${check_name} ${fired_at}`),
    [`Gate ${instant(2)}`, `Shop ${instant(3)}`, `Shop ${instant(6)}`, `Shop ${instant(12)}`],
  );
  assert.is(found.runs, 15);
});

test('a rule by tag is simulated on a check only while the check had the tag', async () => {
  time.now = START;
  const id = await aCheck('Lost', { tags: ['lost'] });
  const later = await aCheck('Later');
  await record(id, 'xxxxx');
  await record(later, 'xxxxx');
  time.now = at(3.5);
  for (const [check, tags] of [
    [id, []],
    [later, ['lost']],
  ] as const)
    assert.is((await service.request('PATCH', `/v1/checks/${check}`, { body: { tags } })).status, 200);
  time.now = at(60);
  const found = await simulation({ tag: 'lost' });
  assert.equal(
    found.alerts.map(({ check_name, fired_at, resolved_at }) => [check_name, fired_at, resolved_at]),
    [
      ['Lost', instant(1), instant(3.5)],
      ['Later', instant(3.5), null],
    ],
  );
  assert.is(found.runs, 5);
  // Only one of the checks had the tag in this period.
  const before = await simulation({ tag: 'lost', to: instant(3) });
  assert.equal([before.alerts.length, before.runs], [1, 2]);
  assert.equal((await simulation({ tag: 'lost', from: instant(4) })).alerts.length, 1);
});

test('a simulation distinguishes timeouts from other failures', async () => {
  const id = await aCheck('Slow');
  const failures: Partial<CheckRunCompleted>[] = [{}, DOWN, { ...DOWN, reason: 'timeout' }, {}];
  const events = failures.map((fields, minute) =>
    resultOf(id, at(70 + minute), { organization_id: first.id, ...fields }),
  );
  const { position } = await service.stores.results.append('check_results-ru-central1', events, 'any');
  await service.readers.waitFor(['check_results'], { appended: new Map([['results', position]]) });
  time.now = at(120);
  const found = await simulation({ check_id: id, condition: 'check_timeout', to: instant(100) });
  assert.equal(times(found), [[instant(72), instant(73)]]);
  assert.is(found.alerts[0]?.trigger_results[0]?.reason, 'timeout');
});

test('a simulation ignores whether the rule is enabled and whom it notifies', async () => {
  const whole = { name: '', channel_ids: ['unknown'], severity: 'none', enabled: false, muted_until: 'never' };
  assert.equal(await simulation({ check_id: shop, ...whole }), await simulation({ check_id: shop }));
});

test('a simulation stores nothing', async () => {
  const count = async (): Promise<number> => (await service.stores.main.readAll({ after: 0n, limit: 1_000 })).length;
  const before = await count();
  await simulation({ check_id: shop });
  assert.is(await count(), before);
});

test('the error for an invalid simulation names all invalid fields', async () => {
  const reply = await broken({
    check_id: shop,
    condition: 'check_degraded',
    confirmations: 0,
    from: instant(10),
    to: instant(10),
  });
  assert.equal(Object.keys(reply).sort(), ['condition_parameters.response_time', 'confirmations', 'to']);
  assert.equal(reply['to'], ['Must be later than from.']);
  assert.equal((await broken({ check_id: shop, from: 'yesterday', to: undefined }))['to'], ['Missing required field.']);
  assert.equal(await broken({}), { check_id: ['Missing required field.'] });
});

test('the period of a simulation must be in the past and within the retention of results', async () => {
  const ahead = instant(600);
  assert.equal(await broken({ check_id: shop, to: ahead }), { to: ['Must not be in the future.'] });
  assert.equal(await broken({ check_id: shop, from: ahead, to: ahead }), {
    from: ['Must not be in the future.'],
    to: ['Must not be in the future.'],
  });
  const { from = [] } = await broken({ check_id: shop, from: '2020-01-01' });
  assert.match(from[0] ?? '', /^Must not be before 2026-05-21T00:00:00Z: earlier results are not stored any more\.$/);
});

test('a check of another organization is unknown to a simulation', async () => {
  const elsewhere = await aCheck('Elsewhere', { tags: ['prod'] }, { key: second.keys.editor });
  assert.equal(await broken({ check_id: elsewhere }), { check_id: ['There is no such check.'] });
  const reply = await simulate({ tag: 'prod' }, { key: second.keys.viewer });
  assert.equal(reply.json(), { alerts: [], runs: 0, truncated: false });
});

test.run();
