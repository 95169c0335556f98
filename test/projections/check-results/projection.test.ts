import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkResults } from '../../../projections/check-results/projection.ts';
import { CHECK, ORGANIZATION } from '../../domain/check/examples.ts';
import { ranDown, ranOk, SERVER } from '../../domain/check-result/examples.ts';
import type { Fact } from '../history.ts';
import { projection, projectionRules } from '../specification.ts';

const test = suite('the read model of check results');
const model = projection(checkResults);

const at = (recorded_at: string) => ({ metadata: { recorded_at } });
const MOSCOW = 'RU, Moscow';
const HOUR = '2026-11-20T15:00:00.000000';

const first = { ...ranOk(), ...at('2026-11-20T15:00:31.000000') };
const second = {
  ...ranDown({ result_id: 'result000002', run_id: 'run000000002' }),
  ...at('2026-11-20T15:59:59.999000'),
};
const nextHour = {
  ...ranOk({ result_id: 'result000003', run_id: 'run000000003', response_time: 300 }),
  ...at('2026-11-20T16:00:00.000000'),
};
const elsewhere = {
  ...ranOk({ result_id: 'result000004', run_id: 'run000000004', region: 'EU, West', response_time: 300 }),
  ...at('2026-11-20T15:30:00.000000'),
};
const { check_id, ...withoutCheck } = ranOk({ result_id: 'result000005', result_type: 'on_demand' }).data;
const adHoc = { type: 'CheckRunCompleted', data: withoutCheck, ...at('2026-11-20T15:40:00.000000') } as const;

const raised = (result_id: string, alert_id = 'alert0000001'): Fact => ({
  type: 'ResultRaisedAlert',
  data: {
    result_id,
    alert_id,
    title: 'API is down',
    organization_id: ORGANIZATION,
    check_id: CHECK,
    at: '2026-11-20T16:00:01.000000',
  },
});

test('a result has the alerts that it fired, and results with alerts are also stored separately', async () => {
  const facts = [first, second, raised('result000002'), raised('result000002', 'alert0000002'), raised('unknown00001')];
  const alerted = await model.given(...facts).documents('alerted_results');
  assert.equal(alerted, [await model.given(...facts).document('check_results', 'result000002')]);
  assert.is(alerted[0]?.has_alerts, true);
  assert.equal(alerted[0]?.triggered_alerts, [
    { id: 'alert0000001', title: 'API is down' },
    { id: 'alert0000002', title: 'API is down' },
  ]);
  assert.is((await model.given(...facts).document('check_results', 'result000001'))?.has_alerts, undefined);
});

test('late, outdated and suspect results of checks are also listed separately, but results of unsaved definitions are not', async () => {
  const late = { ...ranOk({ late: true, execution_group_id: 'group0000001' }), ...at(HOUR) };
  const suspect = { ...ranDown({ result_id: 'result000002', suspect: true }), ...at(HOUR) };
  const ofNoCheck = { type: 'CheckRunCompleted', data: { ...withoutCheck, late: true }, ...at(HOUR) } as const;
  const counts = { ...ranOk({ result_id: 'result000003' }), ...at(HOUR) };
  assert.equal(await model.given(late, suspect, ofNoCheck, counts).documents('excluded_results'), [
    { id: 'result000001', check_id: CHECK, execution_group_id: 'group0000001', created_at: HOUR, late: true },
    { id: 'result000002', check_id: CHECK, created_at: HOUR, suspect: true },
  ]);
});

test('a result is stored as the API represents it, except that it contains only the id of its server', async () => {
  await model.given(first).then('check_results', {
    id: 'result000001',
    check_id: CHECK,
    organization_id: ORGANIZATION,
    check_type: 'web',
    region: MOSCOW,
    created_at: '2026-11-20T15:00:31.000000',
    status: 'ok',
    response_time: 12,
    server: (await model.given(first).documents('check_servers'))[0]?.id ?? '',
    check_metadata: { connected: true, host: 'shop.example', port: 443, status_code: 200 },
  });
});

test('a server with several results is stored once', async () => {
  const [server, ...others] = await model.given(first, second, nextHour).documents('check_servers');
  assert.equal(server?.check_server, SERVER);
  assert.is(others.length, 0);
});

test('an hour counts the results of a check in a region, by status', async () => {
  await model.given(first, second, nextHour, elsewhere).then('check_hours', {
    id: `${CHECK} 2026-11-20T15 ${MOSCOW}`,
    check_id: CHECK,
    organization_id: ORGANIZATION,
    region: MOSCOW,
    hour: HOUR,
    tallies: { ok: { count: 1, timed: 1, sum: 12, times: [12, 1] }, down: { count: 1, timed: 0, sum: 0, times: [] } },
  });
  assert.is((await model.given(first, second, nextHour, elsewhere).documents('check_hours')).length, 3);
});

test('an hour counts the results of an organization in a region, with failed and error combined', async () => {
  const failed = ranOk({ result_id: 'result000006', status: 'failed' });
  const error = ranOk({ result_id: 'result000007', status: 'error' });
  const recorded = at('2026-11-20T15:10:00.000000');
  await model.given(first, second, { ...failed, ...recorded }, { ...error, ...recorded }).then('organization_hours', {
    id: `${ORGANIZATION} 2026-11-20T15 ${MOSCOW}`,
    organization_id: ORGANIZATION,
    region: MOSCOW,
    hour: HOUR,
    ok: 1,
    down: 1,
    failed: 2,
  });
});

test('a repeated result counts once, with the content of its first occurrence', async () => {
  const again = { ...ranDown({ result_id: first.data.result_id }), ...at('2026-11-20T15:20:00.000000') };
  const [hour] = await model.given(first, again, first).documents('check_hours');
  assert.equal(hour?.tallies, { ok: { count: 1, timed: 1, sum: 12, times: [12, 1] } });
  const [organizationHour] = await model.given(first, again, first).documents('organization_hours');
  assert.is(organizationHour?.ok, 1);
  assert.is(organizationHour?.down, 0);
  assert.is((await model.given(first, again).document('check_results', 'result000001'))?.status, 'ok');
});

test('a run of an unsaved definition has a result, which counts for no check', async () => {
  assert.is((await model.given(adHoc).document('check_results', 'result000005'))?.check_id, null);
  assert.is((await model.given(first, adHoc).document('check_results', 'result000001'))?.check_id, check_id);
  await model.given(adHoc).thenNone('check_hours');
  await model.given(adHoc).thenNone('organization_hours');
});

test('a suspect result is listed and costs credits, but is counted in no hour', async () => {
  const given = model.given({ ...ranDown({ suspect: true }), ...at('2026-11-20T15:00:31.000000') });
  assert.is((await given.document('check_results', 'result000001'))?.suspect, true);
  assert.equal(
    (await given.documents('credit_days')).map(({ used }) => used),
    [1],
  );
  await given.thenNone('check_hours');
  await given.thenNone('organization_hours');
});

test('the credits of an organization on a day include late results and results of unsaved definitions, and count each result once', async () => {
  const late = {
    ...ranOk({ result_id: 'result000008', credits: 10, late: true }),
    ...at('2026-11-20T23:59:59.999999'),
  };
  const nextDay = { ...ranOk({ result_id: 'result000009', credits: 2 }), ...at('2026-11-21T00:00:00.000000') };
  await model.given(first, adHoc, late, first, nextDay, late).then('credit_days', [
    {
      id: `${ORGANIZATION} 2026-11-20`,
      organization_id: ORGANIZATION,
      day: '2026-11-20T00:00:00.000000',
      used: 12,
      changed_position: 30,
    },
    {
      id: `${ORGANIZATION} 2026-11-21`,
      organization_id: ORGANIZATION,
      day: '2026-11-21T00:00:00.000000',
      used: 2,
      changed_position: 50,
    },
  ]);
});

const RAN_AT = '2026-11-20T15:50:00.000000';
const delivered = {
  ...ranOk({ result_id: 'result000010', run_id: 'run000000010', response_time: 30, late: true, ran_at: RAN_AT }),
  ...at('2026-11-21T00:10:00.000000'),
};

test('a late result is listed and counted at the time of its run', async () => {
  const given = model.given(first, nextHour, delivered);
  assert.is((await given.document('check_results', 'result000010'))?.created_at, RAN_AT);
  const hours = await given.documents('check_hours');
  assert.equal(
    hours.map(({ hour, tallies }) => [hour, tallies.ok?.count, tallies.ok?.sum]),
    [
      [HOUR, 2, 42],
      ['2026-11-20T16:00:00.000000', 1, 300],
    ],
  );
  assert.equal(
    (await given.documents('organization_hours')).map(({ hour, ok, down }) => [hour, ok, down]),
    [
      [HOUR, 2, 0],
      ['2026-11-20T16:00:00.000000', 1, 0],
    ],
  );
});

test('the credits of a late result count on the day when the result is recorded', async () => {
  const days = await model.given(first, delivered).documents('credit_days');
  assert.equal(
    days.map(({ day, used }) => [day.slice(0, 10), used]),
    [
      ['2026-11-20', 1],
      ['2026-11-21', 1],
    ],
  );
});

test('a server is stored once, even if its clock offset changes', async () => {
  const remote = (result_id: string, clock_offset_ms: number): Fact => ({
    ...ranOk({
      result_id,
      check_server: { ...SERVER, server_metadata: { provider: 'remote', clock_offset_ms, runner: 'Berlin' } },
    }),
    ...at('2026-11-20T15:00:31.000000'),
  });
  const given = model.given(remote('result000001', 12), remote('result000002', -3_600_000));
  assert.equal(
    (await given.documents('check_servers')).map(({ check_server }) => check_server.server_metadata),
    [{ provider: 'remote', runner: 'Berlin' }],
  );
  assert.equal(
    (await given.documents('check_results')).map(({ clock_offset_ms }) => clock_offset_ms),
    [12, -3_600_000],
  );
});

test.run();

projectionRules(checkResults, [first, second, nextHour, elsewhere, adHoc, first, raised('result000002'), delivered]);
