import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseCron, type CronExpression } from '../../../domain/cron/expression.ts';
import { shortestInterval } from '../../../domain/cron/interval.ts';
import { nextDue } from '../../../domain/cron/next.ts';
import { changesOf, firstRun } from './vixie.ts';

const test = suite('a cron expression');

const read = (schedule: string): CronExpression => {
  const parsed = parseCron(schedule);
  if ('problem' in parsed) throw new Error(`${schedule}: ${parsed.problem}`);
  return parsed.expression;
};

const next = (schedule: string, zone: string, after: string): string =>
  new Date(nextDue(read(schedule), zone, Date.parse(after)) ?? 0).toISOString().slice(0, 16);

/** Returns the next `count` times of a schedule. */
const times = (schedule: string, zone: string, after: string, count: number): string[] => {
  const found = [after];
  while (found.length <= count) found.push(`${next(schedule, zone, found.at(-1) ?? '')}Z`);
  return found.slice(1).map((time) => time.slice(5, 16));
};

test('a cron expression with lists and ranges is due once at a repeated time, and right after a skipped time', () => {
  const autumn = '2026-10-24T22:30Z'; // 00:30 in Berlin, before clocks go back from 03:00 to 02:00
  assert.equal(times('30 2,14 * * *', 'Europe/Berlin', autumn, 2), ['10-25T00:30', '10-25T13:30']);
  assert.equal(times('0 1,2 * * *', 'Europe/Berlin', autumn, 3), ['10-24T23:00', '10-25T00:00', '10-26T00:00']);
  assert.equal(times('0 1-3 * * *', 'Europe/Berlin', autumn, 3), ['10-24T23:00', '10-25T00:00', '10-25T02:00']);
  assert.equal(times('0,30 2 * * *', 'Europe/Berlin', autumn, 3), ['10-25T00:00', '10-25T00:30', '10-26T01:00']);
  const spring = '2026-03-28T23:30Z'; // 00:30 in Berlin, before clocks go forward from 02:00 to 03:00
  assert.equal(times('30 2 * * *', 'Europe/Berlin', spring, 2), ['03-29T01:00', '03-30T00:30']);
  assert.equal(times('15,45 2 * * *', 'Europe/Berlin', spring, 2), ['03-29T01:00', '03-30T00:15']);
  assert.equal(times('0 1-3 * * *', 'Europe/Berlin', spring, 3), ['03-29T00:00', '03-29T01:00', '03-29T23:00']);
});

test('a cron expression with "*" in its minute or hour follows elapsed time', () => {
  assert.equal(times('30 * * * *', 'Europe/Berlin', '2026-10-24T23:45Z', 3), [
    '10-25T00:30',
    '10-25T01:30',
    '10-25T02:30',
  ]);
  assert.equal(times('*/30 2 * * *', 'Europe/Berlin', '2026-10-24T23:45Z', 5), [
    '10-25T00:00',
    '10-25T00:30',
    '10-25T01:00',
    '10-25T01:30',
    '10-26T01:00',
  ]);
  assert.equal(times('*/30 2 * * *', 'Europe/Berlin', '2026-03-28T23:30Z', 1), ['03-30T00:00']);
});

test('a cron expression is due in order when clocks go back over midnight, and never on a skipped date', () => {
  // Clocks in Newfoundland went back from 00:01 on 7 November 2010 to 23:01 on the 6th.
  assert.equal(times('*/30 * * * *', 'America/St_Johns', '2010-11-07T02:15Z', 3), [
    '11-07T02:30',
    '11-07T03:00',
    '11-07T03:30',
  ]);
  assert.equal(times('*/10 23 * * *', 'America/St_Johns', '2010-11-07T02:30:30Z', 1), ['11-07T02:40']);
  assert.equal(times('10 23 * * *', 'America/St_Johns', '2010-11-07T02:30:30Z', 1), ['11-08T02:40']);
  // Samoa had no 30 December 2011.
  assert.equal(times('0 12 * * *', 'Pacific/Apia', '2011-12-29T23:00Z', 2), ['12-30T22:00', '12-31T22:00']);
});

test('a cron expression combines its two day fields with "and" if one of them begins with "*", and otherwise with "or"', () => {
  const days = (schedule: string, count: number) =>
    times(schedule, 'UTC', '2026-11-20T12:00Z', count).map((time) => time.slice(0, 5));
  assert.equal(days('0 0 1-7 * */7', 3), ['12-06', '01-03', '02-07']);
  assert.equal(days('0 0 */2 * 1', 3), ['11-23', '12-07', '12-21']);
  assert.equal(days('30 0 1 * 1', 3), ['11-23', '11-30', '12-01']);
  assert.equal(days('0 0 * * 7', 2), ['11-22', '11-29']);
  assert.equal(days('0 0 * * fri-sun', 3), ['11-21', '11-22', '11-27']);
  assert.is(next('0 0 29 2 *', 'UTC', '2097-01-01'), '2104-02-29T00:00');
  assert.is(next('0 0 29 2 */7', 'UTC', '2026-01-01'), '2032-02-29T00:00');
});

test('an invalid cron expression names the invalid field', () => {
  for (const [schedule, field] of [
    ['60 0 * * *', 'minute "60"'],
    ['0 22-6 * * *', 'hour "22-6"'],
    ['0 0 L * *', 'day of the month "L"'],
    ['0 0 15W * *', 'day of the month "15W"'],
    ['0 0 ? * *', 'day of the month "?"'],
    ['0 0 1,  *', 'five fields'],
    ['0 0 1, * *', 'day of the month "1,"'],
    ['5/15 * * * *', 'minute "5/15"'],
    ['*/0 * * * *', 'minute "*/0"'],
    ['0 0 * january *', 'month "january"'],
    ['0 0 * 0 *', 'month "0"'],
    ['0 0 * * 1#2', 'day of the week "1#2"'],
    ['0 0 * * 5L', 'day of the week "5L"'],
    ['0 0 1 * +1', 'day of the week "+1"'],
    ['0 0 * * 8', 'day of the week "8"'],
    ['@reboot', 'five fields'],
    ['0 0 30 2 *', 'a date that exists'],
    ['0 0 31 4,6,9,11 */2', 'a date that exists'],
  ] as const) {
    const parsed = parseCron(schedule);
    assert.ok('problem' in parsed && parsed.problem.includes(field), `${schedule}: ${JSON.stringify(parsed)}`);
  }
});

test('a cron expression has a minimum interval', () => {
  for (const [schedule, seconds] of [
    ['* * * * *', 60],
    ['*/15 * * * *', 900],
    ['*/7 * * * *', 240],
    ['0 1,2 * * *', 3_600],
    ['0 1,23 * * *', 7_200],
    ['0 1,23 * * 1', 79_200],
    ['@daily', 86_400],
    ['0 0 1-7 * */7', 28 * 86_400],
    ['0 0 31 * *', 31 * 86_400],
    ['30 0 1 * 1', 86_400],
    ['@Yearly', 365 * 86_400],
    ['0 9 * JAN-Mar Mon-FRI', 86_400],
    ['0 0 29 2 *', 1_461 * 86_400],
  ] as const) {
    assert.is(shortestInterval(read(schedule)), seconds, schedule);
  }
});

/** Returns a generator of pseudorandom numbers from 0 to below 1 (mulberry32). */
const randomBy = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'America/Havana',
  'America/Sao_Paulo',
  'America/Nuuk',
  'America/Scoresbysund',
  'America/Asuncion',
  'Atlantic/Azores',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Asia/Beirut',
  'Asia/Tehran',
  'Asia/Kathmandu',
  'Asia/Pyongyang',
  'Australia/Lord_Howe',
  'Antarctica/Troll',
  'Antarctica/Casey',
  'Europe/Volgograd',
  'Pacific/Apia',
  'Pacific/Chatham',
];

test('a cron expression matches the times of cron for random schedules, zones and moments', () => {
  const random = randomBy(20_261_126);
  const upTo = (most: number): number => Math.floor(random() * (most + 1));
  const one = <T>(choices: readonly T[]): T => choices[upTo(choices.length - 1)] as T;
  const field = (low: number, high: number): string => {
    const value = (): number => low + upTo(high - low);
    const range = (): string => {
      const [first, second] = [value(), value()];
      return `${Math.min(first, second)}-${Math.max(first, second)}`;
    };
    const step = (upTo(high - low) + 1).toString();
    return one([
      () => value().toString(),
      () => `${value()},${value()}`,
      range,
      () => `${range()}/${step}`,
      () => `${range()},${value()}`,
      () => `*/${step}`,
      () => `*,${value()}`,
      () => '*',
    ])();
  };
  const changes = new Map(ZONES.map((zone) => [zone, changesOf(zone, 2005, 2030)]));
  const hour = 3_600_000;
  for (let count = 0; count < 2_000; count++) {
    const hours = one([field(0, 23), field(0, 3), field(22, 23)]);
    const days = random() < 0.6 ? '* * *' : `${field(1, 31)} ${one(['*', field(1, 12)])} ${field(0, 7)}`;
    const schedule = `${field(0, 59)} ${hours} ${days}`;
    const zone = one(ZONES);
    const near = changes.get(zone) ?? [];
    const after =
      near.length > 0 && random() < 0.8
        ? one(near) + Math.floor((random() * 52 - 48) * hour)
        : Date.UTC(2005) + Math.floor(random() * 25 * 366 * 24) * hour;
    const parsed = parseCron(schedule);
    if ('problem' in parsed) {
      assert.is(firstRun(schedule, zone, after, 0), null);
      continue;
    }
    const window = 8 * 24 * 60;
    const expected = firstRun(schedule, zone, after, window);
    const due = nextDue(parsed.expression, zone, after) ?? Infinity;
    const label = `${schedule} in ${zone} after ${new Date(after).toISOString()}: ${new Date(due).toISOString()}`;
    if (expected === null) assert.ok(due > after + (window - 1) * 60_000, label);
    else assert.is(new Date(due).toISOString(), new Date(expected).toISOString(), label);
  }
});

test.run();
