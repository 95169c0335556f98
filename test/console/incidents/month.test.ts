import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { daysAfter, isMonth, isOn, monthsAfter, weeksOf } from '../../../console/screens/maintenances/month.ts';
import { sinceOf } from '../../../console/screens/incidents/period.ts';

const test = suite('the maintenance calendar');

test('the maintenance calendar shows whole weeks that start on Monday', () => {
  const weeks = weeksOf('2026-11');
  assert.is(weeks.length, 6);
  assert.is(weeks[0]?.[0], '2026-10-26');
  assert.is(weeks.at(-1)?.at(-1), '2026-12-06');
  assert.is(weeksOf('2027-02').length, 4);
  for (const week of weeksOf('2026-03')) assert.is(week.length, 7);
});

test('the maintenance calendar moves by days and months, and from long to shorter months', () => {
  assert.is(daysAfter('2026-12-31', 1), '2027-01-01');
  assert.is(monthsAfter('2026-03-31', -1), '2026-02-28');
  assert.is(monthsAfter('2026-12-05', 1), '2027-01-05');
});

test('the maintenance calendar accepts only valid months from the URL', () => {
  assert.equal(['2026-11', '2026-13', '2026-1', '', 'x'].map(isMonth), [true, false, false, false, false]);
});

test('the calendar shows a maintenance on each day that it overlaps, but not on a day that begins when it ends', () => {
  const local = (text: string): string => new Date(text).toISOString().slice(0, 19);
  const planned = { scheduled_for: local('2026-11-28T22:00'), scheduled_until: local('2026-11-30T00:00') };
  const days = ['2026-11-27', '2026-11-28', '2026-11-29', '2026-11-30'];
  assert.equal(
    days.map((day) => isOn(planned, day)),
    [false, true, true, false],
  );
  assert.is(isOn({ scheduled_for: null, scheduled_until: null }, '2026-11-28'), false);
});

test('the list of past incidents starts at the beginning of a day, so that the time of a request does not shift its pages', () => {
  assert.is(sinceOf('all', 0), null);
  assert.is(sinceOf('month', Date.UTC(2026, 10, 30, 15, 4)), '2026-10-31T00:00:00Z');
});

test.run();
