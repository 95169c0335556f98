import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DAY_MS, HOUR_MS, type Instant, instantOf, millisecondsOf } from '../../../domain/time.ts';
import { readUptime } from '../../../queries/check-results/uptime.ts';
import { findCheck } from '../../../queries/checks/find.ts';
import {
  readOverviewStatistics,
  firstHourAt,
  HOURS_SHOWN,
  roundToTwoDigits,
  NO_STATISTICS,
} from '../../../queries/overview/statistics.ts';
import { randomFrom, type Random } from '../../contracts/random.ts';
import { CHECK, checkCreated } from '../../domain/check/examples.ts';
import { ranOk } from '../../domain/check-result/examples.ts';
import type { Fact } from '../../projections/history.ts';
import { scopeOf } from '../engine/scope.ts';

const test = suite('overview statistics compared with the uptime of each check');

const END = Date.parse('2026-11-20T15:20:00Z');
const HISTORIES = 60;
const REGIONS = ['RU, Moscow', 'EU, West', 'IN, Mumbai'];

/** Returns results of at most 45 days, mostly of the last two, roughly in chronological order. Some are repeated. */
const randomResults = (random: Random): Fact[] => {
  const spread = random.pick([2 * HOUR_MS, DAY_MS, 3 * DAY_MS, 45 * DAY_MS]);
  const times = Array.from({ length: 1 + random.below(250) }, () => {
    const ago = random.below(random.oneIn(2) ? 2 * DAY_MS : spread);
    // A quarter of the results is recorded within the milliseconds around a full hour.
    return random.oneIn(4) ? Math.floor((END - ago) / HOUR_MS) * HOUR_MS - random.below(3) : END - ago;
  }).sort((one, other) => one - other);
  const facts: Fact[] = [];
  times.forEach((time, number) => {
    const at = instantOf(time + (random.oneIn(10) ? random.below(5_000) : 0));
    const result = ranOk({
      result_id: `result${number.toString().padStart(6, '0')}`,
      run_id: `run${number}`,
      slot: instantOf(time - 500),
      region: random.pick(REGIONS),
      status: random.pick(['ok', 'ok', 'ok', 'down', 'failed', 'error']),
      response_time: random.oneIn(5) ? null : random.below(2_000),
      ...(random.oneIn(12) && { late: true as const }),
      // Some results are delivered up to a day after their runs.
      ...(random.oneIn(8) && { late: true as const, ran_at: instantOf(time - random.below(DAY_MS)) }),
      ...(random.oneIn(12) && { outdated: true as const }),
      ...(random.oneIn(12) && { suspect: true as const }),
    });
    facts.push({ ...result, metadata: { recorded_at: at } });
    const [again] = random.oneIn(10) ? facts.slice(-1 - random.below(15)) : [];
    if (again) facts.push({ ...again, metadata: { recorded_at: instantOf(time + 60_000) } });
  });
  return facts;
};

/**
 * Returns the response time of the newest result that was not late. If several have the same time, the last one in the
 * log counts.
 */
const newest = (facts: readonly Fact[]): number | null => {
  let last: { at: Instant; response_time: number | null } | null = null;
  const seen = new Set<string>();
  for (const { type, data, metadata } of facts) {
    if (type !== 'CheckRunCompleted' || seen.has(data.result_id)) continue;
    seen.add(data.result_id);
    if (data.late === true || data.outdated === true || data.suspect === true) continue;
    const at = metadata?.recorded_at ?? '';
    if (last === null || at >= last.at) last = { at, response_time: data.response_time };
  }
  return last?.response_time ?? null;
};

test('response times of hours are rounded to two significant digits', () => {
  for (const [time, shown] of [
    [0, 0],
    [0.4, 0],
    [9.5, 10],
    [99.4, 99],
    [99.5, 100],
    [104.4, 100],
    [105, 110],
    [995, 1_000],
    [12_345, 12_000],
  ] as const)
    assert.is(roundToTwoDigits(time), shown, time.toString());
});

for (let seed = 1; seed <= HISTORIES; seed++) {
  test(`the overview statistics equal the uptime of each check in the random history ${seed}`, async () => {
    const random = randomFrom(seed * 7_919);
    const results = randomResults(random);
    const now = instantOf(END + random.pick([0, 30 * 60_000, 5 * HOUR_MS, 26 * HOUR_MS, 10 * DAY_MS]) + 60_000);
    const resultsFrom = instantOf(Math.floor(END / DAY_MS) * DAY_MS - random.pick([0, 3, 10, 40, 183]) * DAY_MS);
    const scope = scopeOf([checkCreated(), ...results], { now, resultsFrom: () => resultsFrom });
    // The statistics of a few checks are read by id, and those of many checks as a list. Both cases are tested.
    const others = Array.from({ length: random.pick([0, 30]) }, (_, number) => `other${number}`);
    const figures = (await readOverviewStatistics(scope, [CHECK, ...others])).get(CHECK) ?? NO_STATISTICS;
    const check = await findCheck(scope, CHECK);

    const first = firstHourAt(now) * HOUR_MS;
    const day = await readUptime(scope, check, { from: instantOf(first), to: now });
    assert.is(figures.uptime_24h, day.uptime_summary.uptime_percentage);
    const month = await readUptime(scope, check, {
      from: instantOf(Math.floor(millisecondsOf(now) / DAY_MS) * DAY_MS - 29 * DAY_MS),
      to: now,
    });
    assert.is(figures.uptime_30d, month.uptime_summary.uptime_percentage);

    const hours = Array.from({ length: HOURS_SHOWN }, (_, place) => {
      const timestamp = instantOf(first + place * HOUR_MS);
      return day.uptime_data.find((hour) => hour.timestamp === timestamp);
    });
    assert.equal(
      figures.hours,
      hours.map((hour) => (hour?.avg_response_time == null ? null : roundToTwoDigits(hour.avg_response_time))),
    );
    assert.equal(
      figures.failed_hours,
      hours.flatMap((hour, place) => (hour && hour.failed_checks > 0 ? [place] : [])),
    );
    assert.is(figures.response_time, newest(results));
  });
}

test.run();
