import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nextClientRetention, nextRetention, type Retention, type RetentionTimes } from '../../domain/retention.ts';
import { DAY_MS, instantOf } from '../../domain/time.ts';

const test = suite('the retention of results');

const NOW = Date.parse('2026-11-20T17:00:00Z');
const day = (text: string): string => `${text}T00:00:00.000000`;

const times = (fields: Partial<RetentionTimes> = {}): RetentionTimes => ({
  now: NOW,
  logTime: NOW,
  retentionDays: 10,
  confirmed: null,
  ...fields,
});
/** The retention as it was set on the previous day. */
const LAST: Retention = { from: day('2026-11-09'), wanted: null, moved_at: instantOf(NOW - DAY_MS) };

test('retention keeps whole UTC days, and moves by one day every day', () => {
  const next = nextRetention(LAST, times());
  assert.equal(next, { from: day('2026-11-10'), wanted: null, moved_at: instantOf(NOW) });
  const soon = NOW + 60_000;
  assert.equal(nextRetention(next, times({ now: soon, logTime: soon })), next);
});

test('retention does not move past the newest event of the log, however far the clock is ahead', () => {
  const next = nextRetention(LAST, times({ now: NOW + 400 * DAY_MS }));
  assert.is(next.from, day('2026-11-10'));
  assert.is(next.wanted, day('2027-12-15'));
  assert.is(nextRetention(null, times({ now: NOW + 400 * DAY_MS })).from, day('2026-11-10'));
});

test('retention recovers when a wrong clock was corrected', () => {
  const ahead = nextRetention(LAST, times({ now: NOW + 400 * DAY_MS }));
  const right = nextRetention(ahead, times({ now: NOW + DAY_MS, logTime: NOW + DAY_MS }));
  assert.equal(right, { from: day('2026-11-11'), wanted: null, moved_at: instantOf(NOW + DAY_MS) });
});

test('if retention would have to move by more than two days, such as after a wrong clock, it moves by one day per day', () => {
  const ahead = NOW + 400 * DAY_MS;
  const clocks = (hours: number) => times({ now: ahead + hours * 3_600_000, logTime: ahead + hours * 3_600_000 });
  let known = nextRetention(LAST, clocks(0));
  assert.equal([known.from, known.wanted], [day('2026-11-10'), day('2027-12-15')]);
  known = nextRetention(known, clocks(23));
  assert.is(known.from, day('2026-11-10'));
  known = nextRetention(known, clocks(24));
  assert.is(known.from, day('2026-11-11'));
  // Repeated starts on the same day do not move the retention further.
  for (let start = 0; start < 5; start++) known = nextRetention(known, clocks(25));
  assert.is(known.from, day('2026-11-11'));
});

test('retention can move two days in one step', () => {
  const next = nextRetention({ ...LAST, from: day('2026-11-08') }, times());
  assert.equal([next.from, next.wanted], [day('2026-11-10'), null]);
});

test('retention follows the clock after a person has confirmed it', () => {
  const later = NOW + 30 * DAY_MS;
  const away = times({ now: later, logTime: NOW });
  const held = nextRetention(LAST, away);
  assert.equal([held.from, held.wanted], [day('2026-11-10'), day('2026-12-10')]);
  const free = nextRetention(held, { ...away, confirmed: held.wanted });
  assert.equal([free.from, free.wanted], [day('2026-12-10'), null]);
});

test('a confirmation of retention is valid only for the date that was confirmed', () => {
  const confirmed = day('2026-10-01');
  assert.is(nextRetention(LAST, times({ now: NOW + 400 * DAY_MS, confirmed })).from, day('2026-11-10'));
});

test('retention moves back if the clock is set back or the retention period is extended', () => {
  assert.is(nextRetention(LAST, times({ now: NOW - 5 * DAY_MS })).from, day('2026-11-05'));
  assert.is(nextRetention(LAST, times({ retentionDays: 30 })).from, day('2026-10-21'));
});

test('retention follows the clock if the log is empty', () => {
  assert.is(nextRetention(null, times({ logTime: null })).from, day('2026-11-10'));
});

const months = suite('the retention of client addresses and user agents');
const byMonth = (now: string, more: Partial<RetentionTimes> = {}) => {
  const at = Date.parse(`${now}T12:00:00Z`);
  return { now: at, logTime: at, confirmed: null, months: 13, ...more };
};

months('retention keeps whole UTC months before the present one, across years', () => {
  const first = nextClientRetention(null, byMonth('2026-01-31'));
  assert.equal([first.from, first.wanted], [day('2024-12-01'), null]);
  assert.is(nextClientRetention(first, byMonth('2026-02-01')).from, day('2025-01-01'));
  assert.is(nextClientRetention(first, byMonth('2026-03-31')).from, day('2025-02-01'));
});

months('the retention of months never moves back, whatever the clock and the setting are', () => {
  const known = nextClientRetention(null, byMonth('2026-11-20'));
  for (const times of [byMonth('2025-11-20'), { ...byMonth('2026-11-20'), months: 24 }]) {
    assert.equal(nextClientRetention(known, times), known);
  }
});

months('retention moves up to two months in one step, and beyond that one month in 31 days', () => {
  const known = nextClientRetention(null, byMonth('2026-11-20'));
  assert.is(nextClientRetention(known, byMonth('2027-01-01')).from, day('2025-12-01'));
  const ahead = nextClientRetention(known, byMonth('2027-11-20'));
  assert.equal([ahead.from, ahead.wanted], [day('2025-11-01'), day('2026-10-01')]);
  assert.is(nextClientRetention(ahead, byMonth('2027-12-20')).from, day('2025-11-01'));
  assert.is(nextClientRetention(ahead, byMonth('2027-12-21')).from, day('2025-12-01'));
  const confirmed = byMonth('2027-11-20', { confirmed: day('2026-10-01') });
  assert.equal([nextClientRetention(ahead, confirmed).from], [day('2026-10-01')]);
});

months.run();
test.run();
