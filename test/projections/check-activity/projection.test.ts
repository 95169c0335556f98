import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { instantOf } from '../../../domain/time.ts';
import { checkActivity } from '../../../projections/check-activity/projection.ts';
import { dayNumberOf, hourNumberOf } from '../../../projections/check-activity/sums.ts';
import { CHECK, LATER_SLOT } from '../../domain/check/examples.ts';
import { ranDown, ranOk } from '../../domain/check-result/examples.ts';
import { reportedDown, reportedOk } from '../../domain/execution-group/examples.ts';
import type { Fact } from '../history.ts';
import { projection, projectionRules } from '../specification.ts';

const test = suite('the read model of check activity');
const activity = projection(checkActivity);

const lastAfter = async (...facts: Fact[]): Promise<string | null | undefined> =>
  (await activity.given(...facts).document('check_activity', CHECK))?.last_checked_at;

test('the time of a check’s last run is the time when its newest result was recorded', async () => {
  const newer = ranDown({ slot: LATER_SLOT, result_id: 'result000002' });
  assert.is(await lastAfter(ranOk(), newer), '2026-11-20T15:00:01.000000');
  const before = { ...ranOk(), metadata: { recorded_at: '2026-11-20T15:01:30.000000' } };
  const after = { ...newer, metadata: { recorded_at: '2026-11-20T15:01:31.000000' } };
  assert.is(await lastAfter(after, before), '2026-11-20T15:01:31.000000');
});

test('the time of a check’s last run does not decrease when workers store results out of order, or when a result is repeated', async () => {
  const recorded = (result_id: string, slot: string, at: string): Fact => ({
    ...ranOk({ result_id, slot: `2026-11-20T${slot}.000000` }),
    metadata: { recorded_at: `2026-11-20T${at}.000000` },
  });
  const first = recorded('result000001', '15:00:00', '15:00:01');
  const second = recorded('result000002', '15:00:00', '15:00:02');
  const onDemand = recorded('result000003', '15:00:03', '15:00:04');
  const next = recorded('result000004', '15:05:00', '15:05:01');
  assert.is(await lastAfter(onDemand, second, first), '2026-11-20T15:00:04.000000');
  assert.is(await lastAfter(second, first, onDemand, first), '2026-11-20T15:00:04.000000');
  assert.is(await lastAfter(second, first, next, first), '2026-11-20T15:05:01.000000');
});

test('if a clock was two days ahead, the next result corrects the time of a check’s last run', async () => {
  const ahead = {
    ...ranOk({ slot: '2026-11-22T15:00:00.000000', result_id: 'result000002' }),
    metadata: { recorded_at: '2026-11-22T15:00:00.100000' },
  };
  assert.is(await lastAfter(ahead, ranDown()), '2026-11-20T15:00:01.000000');
});

test('an on-demand run whose check was changed during the run does not count as activity', async () => {
  assert.is(await lastAfter(ranOk({ outdated: true })), null);
});

test('a suspect result does not count as activity of its check', async () => {
  assert.is(await lastAfter(ranDown({ suspect: true })), null);
});

test('the results of every region of a parallel run count as activity, except late results', async () => {
  const two = [reportedOk('EU, West'), reportedDown('RU, Moscow')];
  assert.is(await lastAfter(...two), '2026-11-20T15:00:01.000000');
  assert.is(await lastAfter(...two, reportedOk('IN, Mumbai', { late: true })), '2026-11-20T15:00:01.000000');
  assert.is(await lastAfter(reportedOk('IN, Mumbai', { late: true })), null);
});

const ran = (result_id: string, recorded_at: string, fields: Parameters<typeof ranOk>[0] = {}): Fact => ({
  ...ranOk({ result_id, ...fields }),
  metadata: { recorded_at },
});
/** Returns fields of a result that is delivered long after its run. */
const deliveredFrom = (ran_at: string) => ({ late: true, ran_at }) as const;

/** The first hour of November 20th 2026. */
const MIDNIGHT = hourNumberOf('2026-11-20T00:00:00.000000');

test('results of the current hour are summed up separately from earlier hours and days', async () => {
  const facts = [
    ran('1', '2026-11-19T23:10:00.000000', { response_time: 40 }),
    ran('2', '2026-11-20T00:10:00.000000', { response_time: 10 }),
    ran('3', '2026-11-20T00:20:00.000000', { response_time: null, status: 'down' }),
    ran('4', '2026-11-20T01:10:00.000000', { response_time: 30 }),
    ran('5', '2026-11-20T01:20:00.000000', { response_time: 50, status: 'failed', late: true }),
    ran('6', '2026-11-20T01:30:00.000000', { suspect: true }),
  ];
  const current = await activity.given(...facts).document('check_activity', CHECK);
  assert.equal(
    [current?.hour, current?.hour_results, current?.hour_bad, current?.hour_timed, current?.hour_time],
    [MIDNIGHT + 1, 2, 1, 2, 80],
  );
  assert.is(current?.response_time, 30);
  await activity.given(...facts).then('check_sums', {
    id: CHECK,
    hours: [MIDNIGHT - 1, 1, 0, 1, 40, MIDNIGHT, 2, 1, 1, 10],
    days: [dayNumberOf(MIDNIGHT) - 1, 1, 0, dayNumberOf(MIDNIGHT), 2, 1],
    last_hour: '2026-11-20T00:00:00.000000',
    hour_entered: 40,
  });
});

test('sums of results are written once an hour, not for each result', async () => {
  const facts = [ran('1', '2026-11-20T00:10:00.000000'), ran('2', '2026-11-20T00:20:00.000000')];
  await activity.given(...facts).thenNone('check_sums');
});

test('results recorded later are added to a completed hour', async () => {
  const facts = [
    ran('1', '2026-11-20T00:59:59.000000', { response_time: 10 }),
    ran('2', '2026-11-20T01:00:00.000000', { response_time: 20 }),
    ran('3', '2026-11-20T00:59:59.500000', { response_time: 30 }),
    ran('4', '2026-11-20T01:00:01.000000', { response_time: 40 }),
  ];
  const sums = await activity.given(...facts).document('check_sums', CHECK);
  assert.equal(sums?.hours, [MIDNIGHT, 2, 0, 2, 40, MIDNIGHT + 1, 1, 0, 1, 20]);
});

test('daily sums are stored for a month, and hourly sums for a day, even if a clock was a few hours ahead', async () => {
  const hourly = Array.from({ length: 40 * 24 }, (_, hour) => ran(`h${hour}`, instantOf(hour * 3_600_000)));
  const ahead = [200, 201, 202].map((days) => ran(`d${days}`, instantOf(days * 24 * 3_600_000)));
  const end = ran('end', instantOf(40 * 24 * 3_600_000));
  const sums = await activity.given(...hourly, ...ahead, end).document('check_sums', CHECK);
  const hours = sums?.hours.filter((_, index) => index % 5 === 0) ?? [];
  const days = sums?.days.filter((_, index) => index % 3 === 0) ?? [];
  assert.equal(hours.slice(-3), [200 * 24, 201 * 24, 202 * 24]);
  assert.equal(
    hours.slice(-27, -3),
    Array.from({ length: 24 }, (_, index) => 39 * 24 + index),
  );
  assert.equal(
    days.slice(-33, -3),
    Array.from({ length: 30 }, (_, index) => 10 + index),
  );
});

test('a result delivered late counts in the hour of its run, and does not change the last run of its check', async () => {
  const facts = [
    ran('1', '2026-11-20T00:10:00.000000', { response_time: 10 }),
    ran('2', '2026-11-20T01:10:00.000000', { response_time: 20 }),
    ran('3', '2026-11-20T03:10:00.000000', { response_time: 30 }),
    ran('4', '2026-11-20T03:11:00.000000', { response_time: 40, ...deliveredFrom('2026-11-20T01:50:00.000000') }),
    ran('5', '2026-11-20T03:11:00.000000', { status: 'down', ...deliveredFrom('2026-11-20T02:10:00.000000') }),
    ran('6', '2026-11-20T04:11:00.000000', { response_time: 60 }),
  ];
  const sums = await activity.given(...facts).document('check_sums', CHECK);
  assert.equal(sums?.hours, [
    ...[MIDNIGHT, 1, 0, 1, 10],
    ...[MIDNIGHT + 1, 2, 0, 2, 60],
    ...[MIDNIGHT + 2, 1, 1, 1, 12],
    ...[MIDNIGHT + 3, 1, 0, 1, 30],
  ]);
  const before = await activity.given(...facts.slice(0, 5)).document('check_activity', CHECK);
  assert.equal([before?.last_checked_at, before?.response_time], ['2026-11-20T03:10:00.000000', 30]);
});

test('the last run of a check is its newest run whose result arrived on time', async () => {
  const remote = ran('1', '2026-11-20T15:00:04.000000', { ran_at: '2026-11-20T15:00:02.000000' });
  assert.is(await lastAfter(ranOk(), remote), '2026-11-20T15:00:02.000000');
});

test('a rebuild gives the same retained content after the retention has removed results', async () => {
  const facts = ['18T22', '18T23', '19T00', '19T05', '20T01', '20T02'].map((at) =>
    ran(at, `2026-11-${at}:30:00.000000`),
  );
  facts.splice(3, 0, ran('day before', '2026-11-19T00:40:00.000000', deliveredFrom('2026-11-18T23:50:00.000000')));
  facts.push(ran('hours before', '2026-11-20T02:40:00.000000', deliveredFrom('2026-11-19T05:50:00.000000')));
  facts.push(ran('20T04', '2026-11-20T04:30:00.000000'));
  const from = '2026-11-19T00:00:00.000000';
  for (let last = 3; last <= facts.length; last++) {
    const seen = facts.slice(2, last).map((fact) => ({ ...fact }));
    const left = await activity.given(...facts.slice(0, last)).documents('check_sums');
    const rebuilt = await activity.given(...seen).documents('check_sums');
    // A late result that the rebuild still reads can belong to a run from before the retention, so both documents are
    // reduced to the retained content.
    const retained = (documents: typeof left) =>
      documents
        .filter(({ last_hour }) => last_hour >= from)
        .map((document) => checkActivity.retained?.check_sums?.(document, from) ?? document)
        .map((document) => ({ ...document, hour_entered: 0 }));
    assert.equal(retained(left), retained(rebuilt), last.toString());
  }
});

test.run();

projectionRules(checkActivity, [
  ranOk(),
  ranDown({ slot: LATER_SLOT, result_id: 'result000002' }),
  ranOk(),
  ran('result000003', '2026-11-20T16:00:01.000000'),
  ran('result000004', '2026-11-20T17:00:01.000000', { suspect: true }),
  ran('result000005', '2026-11-20T18:00:01.000000'),
  ran('result000006', '2026-11-20T18:00:02.000000', deliveredFrom('2026-11-20T16:30:00.000000')),
]);
