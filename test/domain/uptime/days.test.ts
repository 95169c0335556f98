import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { calendarOf, daysInMonth, minusMonths, plusDays } from '../../../domain/uptime/days.ts';

const test = suite('days of a time zone');

const start = (timeZone: string, day: string): string => new Date(calendarOf(timeZone).startOf(day)).toISOString();
const hours = (timeZone: string, day: string): number => {
  const calendar = calendarOf(timeZone);
  return (calendar.startOf(plusDays(day, 1)) - calendar.startOf(day)) / 3_600_000;
};

test('days of a time zone begin at its midnight', () => {
  assert.is(start('UTC', '2026-11-20'), '2026-11-20T00:00:00.000Z');
  assert.is(start('Europe/Moscow', '2026-11-20'), '2026-11-19T21:00:00.000Z');
  assert.is(start('America/New_York', '2026-07-01'), '2026-07-01T04:00:00.000Z');
  assert.is(start('Pacific/Kiritimati', '2026-11-20'), '2026-11-19T10:00:00.000Z');
  assert.is(start('Asia/Kathmandu', '2026-11-20'), '2026-11-19T18:15:00.000Z');
});

test('days of a time zone are an hour shorter or longer when clocks change', () => {
  assert.is(hours('Europe/Berlin', '2026-03-28'), 24);
  assert.is(hours('Europe/Berlin', '2026-03-29'), 23);
  assert.is(hours('Europe/Berlin', '2026-10-25'), 25);
  assert.is(hours('Australia/Lord_Howe', '2026-04-05'), 24.5);
});

test('days of a time zone begin after midnight where clocks skip midnight', () => {
  assert.is(start('America/Sao_Paulo', '2018-11-04'), '2018-11-04T03:00:00.000Z');
  assert.is(hours('America/Sao_Paulo', '2018-11-04'), 23);
});

test('days of a time zone begin at the first of two midnights', () => {
  assert.is(start('America/Havana', '2026-11-01'), '2026-11-01T04:00:00.000Z');
  assert.is(hours('America/Havana', '2026-11-01'), 25);
});

test('days that a time zone skipped have no length', () => {
  assert.is(hours('Pacific/Apia', '2011-12-30'), 0);
  assert.is(hours('Pacific/Apia', '2011-12-31'), 24);
});

test('the first and the last day of the calendar begin at the midnight of the time zone', () => {
  assert.is(start('UTC', '0001-01-01'), '0001-01-01T00:00:00.000Z');
  assert.is(start('Etc/GMT-9', '0001-01-01'), '0000-12-31T15:00:00.000Z');
  assert.is(start('Etc/GMT+7', '0001-01-01'), '0001-01-01T07:00:00.000Z');
  assert.is(start('UTC', '9999-12-31'), '9999-12-31T00:00:00.000Z');
  assert.is(start('Etc/GMT-9', '9999-12-31'), '9999-12-30T15:00:00.000Z');
  assert.is(start('Etc/GMT+7', '9999-12-31'), '9999-12-31T07:00:00.000Z');
});

test('the day of an instant is that of the time zone', () => {
  assert.is(calendarOf('Pacific/Auckland').dayOf('2026-11-20T11:30:00.000000'), '2026-11-21');
  assert.is(calendarOf('America/Los_Angeles').dayOf('2026-11-20T07:59:59.999999'), '2026-11-19');
});

test('days of a time zone continue across months and years', () => {
  assert.is(plusDays('2026-12-31', 1), '2027-01-01');
  assert.is(plusDays('2028-03-01', -1), '2028-02-29');
  assert.is(minusMonths('2026-11-20', 6), '2026-05-20');
  assert.is(minusMonths('2026-08-31', 6), '2026-02-28');
  assert.is(minusMonths('2026-03-15', 6), '2025-09-15');
  assert.is(daysInMonth(2028, 2), 29);
});

test.run();
