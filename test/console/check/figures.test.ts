import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { periodOf, rangeOf } from '../../../console/screens/check/figures/ranges.ts';
import { regionsIn, seriesOf } from '../../../console/screens/check/figures/series.ts';
import { outagesIn, secondsOf, statePeriodsOf } from '../../../console/screens/check/figures/state-periods.ts';
import { countedOf, gradeOf, percentageOf } from '../../../console/screens/check/figures/uptime.ts';
import { MINUTE_MS } from '../../../domain/time.ts';

const test = suite('the statistics of a check');

const NOW = Date.parse('2026-11-20T12:00:00Z');
const period = { from: NOW - 60 * MINUTE_MS, to: NOW };
const instant = (moment: number): string => new Date(moment).toISOString().slice(0, -1);
const status = (state: 'up' | 'down', from: number, to: number | null) => ({
  status: state,
  started_at: instant(NOW + from * MINUTE_MS),
  ended_at: to === null ? null : instant(NOW + to * MINUTE_MS),
});
const shown = (stretches: ReturnType<typeof statePeriodsOf>) =>
  stretches.map(({ state, from, to }) => [state, (from - NOW) / MINUTE_MS, (to - NOW) / MINUTE_MS]);

test('check statistics cover one day unless the URL names a period', () => {
  assert.is(rangeOf(null), '24h');
  assert.is(rangeOf('a year'), '24h');
  assert.is(rangeOf('6m'), '6m');
  assert.equal(periodOf('1h', NOW), period);
});

test('the states of a check are shown without gaps, and truncated to the period', () => {
  const history = [status('up', -10, null), status('down', -30, -10), status('up', -90, -50)];
  const stretches = statePeriodsOf(history, period);
  assert.equal(shown(stretches), [
    ['up', -60, -50],
    ['none', -50, -30],
    ['down', -30, -10],
    ['up', -10, 0],
  ]);
  assert.is(secondsOf(outagesIn(stretches)), 20 * 60);
});

test('overlapping states of a check are shown one after another, and times without measurements as unknown', () => {
  const overlapping = [status('up', -60, -20), status('down', -30, -10), status('up', -25, -15)];
  assert.equal(shown(statePeriodsOf(overlapping, period)), [
    ['up', -60, -20],
    ['down', -20, -10],
    ['none', -10, 0],
  ]);
  assert.equal(shown(statePeriodsOf([], period)), [['none', -60, 0]]);
  assert.equal(shown(statePeriodsOf([status('up', -200, -100)], period)), [['none', -60, 0]]);
});

const times = (at: number, region: string, average: number, count = 10) => ({
  timestamp: instant(NOW + at * MINUTE_MS),
  region,
  average,
  p95: average * 2,
  p99: average * 3,
  count,
});

test('check statistics weight the average of each region by its number of runs, and show the 95th percentile of the slowest region', () => {
  const figures = [times(-10, 'EU, West', 100, 30), times(-10, 'RU, Moscow', 200), times(-5, 'RU, Moscow', 200)];
  const { at, lines } = seriesOf(figures, { kind: 'all' }, 300, 60);
  assert.equal(
    at.map((second) => second - NOW / 1_000),
    [-600, -300],
  );
  assert.equal(
    lines.map(({ kind, values }) => [kind, values]),
    [
      ['average', [125, 200]],
      ['p95', [400, 400]],
    ],
  );
  assert.equal(regionsIn(figures), ['EU, West', 'RU, Moscow']);
  const each = seriesOf(figures, { kind: 'each' }, 300, 60).lines;
  assert.equal(
    each.map(({ region, values }) => [region, values]),
    [
      ['EU, West', [100, null]],
      ['RU, Moscow', [200, 200]],
    ],
  );
  const one = seriesOf(figures, { kind: 'region', region: 'EU, West' }, 300, 60);
  assert.equal([one.at.length, one.lines.map(({ values }) => values)], [1, [[100], [200]]]);
});

test('the lines of a chart have gaps where runs are missing, but not between runs with a long interval', () => {
  const figures = [times(-60, 'EU, West', 100), times(-30, 'EU, West', 100)];
  const valuesOf = (interval: number) => seriesOf(figures, { kind: 'all' }, 300, interval).lines[0]?.values;
  assert.equal(valuesOf(60), [100, null, 100]);
  assert.equal(valuesOf(1_800), [100, 100]);
});

test('check statistics count runs, and a bucket is good without failures, mixed with some, and bad with failures only', () => {
  const bucket = (ok: number, down: number, failed: number) => ({ timestamp: '', region: '', ok, down, failed });
  const buckets = [bucket(10, 0, 0), bucket(5, 3, 2), bucket(0, 1, 0)];
  assert.equal(countedOf(buckets), { ok: 15, all: 21 });
  assert.is(percentageOf({ ok: 1, all: 4 }), 25);
  assert.is(percentageOf(countedOf([])), null);
  assert.equal(buckets.map(gradeOf), ['good', 'mixed', 'bad']);
});

test.run();
