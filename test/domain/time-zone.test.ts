import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dayIn, isTimeZone, offsetsOf } from '../../domain/time-zone.ts';

const test = suite('a time zone');

test('a time zone must be a name of the IANA database, not an offset', () => {
  for (const zone of ['UTC', 'Europe/Moscow', 'America/Argentina/Buenos_Aires', 'Asia/Kolkata', 'Etc/GMT-14']) {
    assert.ok(isTimeZone(zone), zone);
  }
  for (const text of ['', '+03:00', '3', 'Mars/Olympus', 'Europe/Moscow ', 'Europe'])
    assert.not(isTimeZone(text), text);
});

test('a time zone determines the day of an instant, around midnight and clock changes', () => {
  const days: [string, string, string][] = [
    ['2026-11-20T20:59:59.999999', 'Europe/Moscow', '2026-11-20'],
    ['2026-11-20T21:00:00.000000', 'Europe/Moscow', '2026-11-21'],
    ['2026-11-20T09:59:59.999000', 'Etc/GMT-14', '2026-11-20'],
    ['2026-11-20T10:00:00.000000', 'Etc/GMT-14', '2026-11-21'],
    // Clocks in Berlin go back on 25 October. Midnight is at 22:00 UTC before and at 23:00 UTC afterwards.
    ['2026-10-24T22:00:00.000000', 'Europe/Berlin', '2026-10-25'],
    ['2026-10-25T22:59:59.000000', 'Europe/Berlin', '2026-10-25'],
    ['2026-10-25T23:00:00.000000', 'Europe/Berlin', '2026-10-26'],
    ['2026-01-01T00:00:00.000000', 'America/New_York', '2025-12-31'],
  ];
  for (const [instant, zone, day] of days) assert.is(dayIn(instant, zone), day, `${instant} in ${zone}`);
});

test('a time zone determines the UTC offset before and after its clock changes', () => {
  const hours = (zone: string, instant: string) => offsetsOf(zone)(Date.parse(instant)) / 3_600_000;
  assert.is(hours('UTC', '2026-11-20T12:00Z'), 0);
  assert.is(hours('Asia/Kathmandu', '2026-11-20T12:00Z'), 5.75);
  assert.is(hours('Europe/Berlin', '2026-10-25T00:59:59.999Z'), 2);
  assert.is(hours('Europe/Berlin', '2026-10-25T01:00:00.000Z'), 1);
  assert.is(hours('America/St_Johns', '1969-12-31T23:59:59.500Z'), -3.5);
  for (let times = 0; times < 2; times++) assert.is(hours('America/New_York', '2026-07-01T00:00Z'), -4);
});

test.run();
