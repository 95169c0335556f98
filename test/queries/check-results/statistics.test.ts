import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DAY_MS, HOUR_MS, instantOf } from '../../../domain/time.ts';
import {
  bucketsBetween,
  bucketsOf,
  canCover,
  FIVE_MINUTES,
  MAX_BUCKETS,
} from '../../../queries/check-results/buckets.ts';
import { requestedPeriod } from '../../../queries/check-results/filters.ts';
import { responseTimes } from '../../../queries/check-results/response-times.ts';
import { statusBuckets } from '../../../queries/check-results/status-buckets.ts';
import { readUptime } from '../../../queries/check-results/uptime.ts';
import { findCheck } from '../../../queries/checks/find.ts';
import { CHECK, checkCreated, checkDeleted } from '../../domain/check/examples.ts';
import { ranDown, ranOk } from '../../domain/check-result/examples.ts';
import type { Fact } from '../../projections/history.ts';
import { OTHER_ORGANIZATION, scopeOf } from '../engine/scope.ts';

const test = suite('statistics of results');

const START = Date.parse('2026-11-01T00:00:00Z');
const after = (length: number) => instantOf(START + length);
const MOSCOW = 'RU, Moscow';

let next = 0;
const ran = (recorded_at: string, fields: Parameters<typeof ranOk>[0] = {}, run = ranOk): Fact => {
  const number = (++next).toString().padStart(6, '0');
  return { ...run({ result_id: `result${number}`, run_id: `run${number}`, ...fields }), metadata: { recorded_at } };
};

test('the length of buckets is the shortest that does not exceed the maximum number of buckets', () => {
  for (const [days, hours] of [
    [1, 1],
    [12, 1],
    [13, 2],
    [30, 3],
    [90, 8],
    [183, 24],
    [301, 48],
  ] as const) {
    const { seconds } = bucketsBetween(after(0), after(days * DAY_MS));
    assert.is(seconds, hours * 3_600, `${days} days`);
    assert.ok(canCover(after(0), after(days * DAY_MS), seconds * 1_000));
  }
});

test('statistics use five-minute buckets for periods up to 25 hours', () => {
  assert.is(canCover(after(0), after(MAX_BUCKETS * FIVE_MINUTES - 1), FIVE_MINUTES), true);
  assert.is(canCover(after(0), after(MAX_BUCKETS * FIVE_MINUTES), FIVE_MINUTES), false);
});

test('the buckets of statistics are aligned to midnight UTC', () => {
  assert.is(bucketsOf(8 * HOUR_MS).startOf('2026-11-20T15:59:59.999999'), '2026-11-20T08:00:00.000000');
});

test('the default period of statistics is the last seven days, limited by the retention', () => {
  const scope = { now: '2026-11-20T12:00:00.000000', resultsFrom: () => '2026-11-10T00:00:00.000000' };
  assert.equal(requestedPeriod(scope, {}), { from: '2026-11-13T12:00:00.000000', to: undefined });
  const end = '2026-11-12T00:00:00.000000';
  assert.equal(requestedPeriod(scope, { end_date: end }), { from: '2026-11-10T00:00:00.000000', to: end });
  assert.is(requestedPeriod(scope, { start_date: '2026-11-19T00:00:00.000000' }).from, '2026-11-19T00:00:00.000000');
});

test('uptime counts results from the start to the end of its period, inclusive', async () => {
  const scope = scopeOf([
    checkCreated(),
    ran('2026-11-20T13:14:59.999999', {}, ranDown),
    ran('2026-11-20T13:15:00.000000'),
    ran('2026-11-20T14:30:00.000000', {}, ranDown),
    ran('2026-11-20T15:45:00.000000'),
    ran('2026-11-20T15:45:00.000001', {}, ranDown),
  ]);
  const check = await findCheck(scope, CHECK);
  const time = { from: '2026-11-20T13:15:00.000000', to: '2026-11-20T15:45:00.000000' };
  const { uptime_summary, uptime_data } = await readUptime(scope, check, time);
  assert.is(uptime_summary.total_checks, 3);
  assert.is(uptime_summary.uptime_percentage, 66.67);
  assert.equal(
    uptime_data.map(({ timestamp, successful_checks, failed_checks }) => [
      timestamp.slice(11, 13),
      successful_checks,
      failed_checks,
    ]),
    [
      ['13', 1, 0],
      ['14', 0, 1],
      ['15', 1, 0],
    ],
  );
});

test('a suspect result does not count in the uptime, neither in a whole hour nor in a part of an hour', async () => {
  const scope = scopeOf([
    checkCreated(),
    ran('2026-11-20T14:05:00.000000'),
    ran('2026-11-20T14:10:00.000000', { suspect: true }, ranDown),
    ran('2026-11-20T15:05:00.000000', { suspect: true }, ranDown),
    ran('2026-11-20T15:06:00.000000'),
  ]);
  const check = await findCheck(scope, CHECK);
  const time = { from: '2026-11-20T14:00:00.000000', to: '2026-11-20T15:30:00.000000' };
  const { uptime_summary } = await readUptime(scope, check, time);
  assert.equal([uptime_summary.total_checks, uptime_summary.uptime_percentage], [2, 100]);
});

test('the uptime percentage is null without results', async () => {
  const scope = scopeOf([checkCreated()]);
  const { uptime_summary, uptime_data } = await readUptime(scope, await findCheck(scope, CHECK), {});
  assert.is(uptime_summary.uptime_percentage, null);
  assert.equal(uptime_data, []);
});

test('response times in five-minute buckets equal those in hourly buckets', async () => {
  const scope = scopeOf([
    checkCreated(),
    ran('2026-11-20T15:00:00.000000', { response_time: 10 }),
    ran('2026-11-20T15:04:59.000000', { response_time: 30 }),
    ran('2026-11-20T15:05:00.000000', { response_time: 50 }),
    ran('2026-11-20T15:06:00.000000', {}, ranDown),
  ]);
  const check = await findCheck(scope, CHECK);
  const short = await responseTimes(scope, check, {});
  assert.is(short.bucket_seconds, 300);
  assert.equal(
    short.response_times.map(({ timestamp, average, count }) => [timestamp.slice(11, 16), average, count]),
    [
      ['15:00', 20, 2],
      ['15:05', 50, 1],
    ],
  );
  const long = await responseTimes(scope, check, { start_date: '2026-11-10T00:00:00.000000' });
  assert.is(long.bucket_seconds, 3_600);
  assert.equal(
    long.response_times.map(({ timestamp, region, average, count }) => [
      timestamp.slice(11, 16),
      region,
      average,
      count,
    ]),
    [['15:00', MOSCOW, 30, 3]],
  );
});

test('status buckets count all checks of the organization except deleted ones', async () => {
  const at = '2026-11-20T15:10:00.000000';
  const theirs = { organization_id: OTHER_ORGANIZATION, check_id: 'check0000009' };
  const facts = [
    checkCreated(),
    ran(at),
    ran(at, {}, ranDown),
    ran(at, { check_id: 'check0000002' }),
    { ...ran(at, theirs), metadata: { recorded_at: at, organization_id: OTHER_ORGANIZATION } },
  ];
  const counts = async (scope: ReturnType<typeof scopeOf>, check_id?: string) =>
    (await statusBuckets(scope, { ...(check_id !== undefined && { check_id }) })).status_history.map(
      ({ region, ok, down, failed }) => [region, ok, down, failed],
    );
  assert.equal(await counts(scopeOf(facts)), [[MOSCOW, 2, 1, 0]]);
  assert.equal(await counts(scopeOf(facts), CHECK), [[MOSCOW, 1, 1, 0]]);
  assert.equal(await counts(scopeOf(facts), 'check0000009'), []);
  assert.equal(await counts(scopeOf([...facts, checkDeleted])), [[MOSCOW, 1, 0, 0]]);
  assert.equal(await counts(scopeOf([...facts, checkDeleted]), CHECK), []);
});

test.run();
