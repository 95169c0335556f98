import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DAY_MS, HOUR_MS, instantOf } from '../../../domain/time.ts';
import { calendarOf } from '../../../domain/uptime/days.ts';
import { createIntervalList, unmeasuredIn, type ExplainedInterval } from '../../../domain/uptime/explanation.ts';
import { wholeSpanOf } from '../../../domain/uptime/statistics.ts';

const test = suite('the explanation of uptime');
const UTC = calendarOf('UTC');

const interval = (from: number, to: number, status: 'operational' | 'major_outage'): ExplainedInterval => ({
  from,
  to,
  status,
  set_by: null,
  excluded: null,
});

test('adjacent intervals with the same status and the same reasons are joined', () => {
  const list = createIntervalList(10);
  list.add(interval(0, 1, 'operational'));
  list.add(interval(1, 2, 'operational'));
  list.add(interval(2, 3, 'major_outage'));
  list.add(interval(5, 6, 'major_outage'));
  assert.equal(
    list.newest().map(({ from, to }) => [from, to]),
    [
      [0, 2],
      [2, 3],
      [5, 6],
    ],
  );
  assert.is(list.isTruncated, false);
});

for (const [most, count] of [
  [3, 4],
  [3, 5_000],
  [1, 3],
  [0, 1],
  [0, 100],
] as const) {
  test(`an explanation with ${count} intervals returns the newest ${most}`, () => {
    const list = createIntervalList(most);
    for (let at = 0; at < count; at++) list.add(interval(at, at + 1, at % 2 === 0 ? 'operational' : 'major_outage'));
    const newest = list.newest();
    assert.is(list.isTruncated, true);
    assert.equal(
      newest.map(({ from }) => from),
      Array.from({ length: most }, (_, index) => count - most + index),
    );
  });
}

const rules = (start: string, end: string, now: string, start_date: string | null) => {
  const range = { start, end };
  const measuredTo = Math.min(Date.parse(`${now}T12:00Z`), Date.parse(`${end}T00:00Z`) + DAY_MS);
  const component = { start_date, created_at: '2026-11-10T06:00:00.000000' };
  const { before, after } = unmeasuredIn(wholeSpanOf(range, UTC), measuredTo, component, UTC);
  return [...before, ...after].map(
    ({ from, to, excluded }) => `${excluded?.rule ?? ''} ${instantOf(from).slice(0, 13)} ${(to - from) / HOUR_MS}`,
  );
};

test('time before the start date or the creation, before 1970 and in the future is excluded', () => {
  assert.equal(rules('2026-11-09', '2026-11-11', '2026-11-11', null), [
    'before_creation 2026-11-09T00 30',
    'future 2026-11-11T12 12',
  ]);
  assert.equal(rules('2026-11-09', '2026-11-11', '2026-11-20', '2026-11-10'), ['before_start_date 2026-11-09T00 24']);
  assert.equal(rules('1969-12-31', '1970-01-01', '2026-11-20', '1960-01-01'), ['before_1970 1969-12-31T00 24']);
});

test('a range that is wholly before the component existed or in the future is excluded by one rule', () => {
  assert.equal(rules('2026-11-01', '2026-11-01', '2026-11-20', null), ['before_creation 2026-11-01T00 24']);
  assert.equal(rules('2027-01-01', '2027-01-01', '2026-11-20', null), ['future 2027-01-01T00 24']);
  assert.equal(rules('2027-01-01', '2027-01-01', '2026-11-20', '2028-01-01'), ['before_start_date 2027-01-01T00 24']);
});

test('an explanation accepts a range up to the last day of the year 9999', () => {
  assert.equal(
    rules('9999-12-30', '9999-12-30', '2026-11-20', null).map((text) => text.slice(0, 23)),
    ['future 9999-12-30T00 24'],
  );
  assert.equal(
    rules('9999-12-31', '9999-12-31', '2026-11-20', null).map((text) => text.slice(0, 23)),
    ['future 9999-12-31T00 23'],
  );
});

test.run();
