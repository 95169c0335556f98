import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Invalid } from '../../../domain/errors.ts';
import { rangeOf, requestedDays, type RangeQuery } from '../../../domain/uptime/range.ts';

const test = suite('the range of an uptime request');

const TODAY = '2026-11-20';
/** Returns the range of a request with its warnings. */
const range = (query: RangeQuery, exists = '2020-01-01') => {
  const { start, end, warnings } = rangeOf(requestedDays(query, TODAY), TODAY, exists);
  return { start, end, warnings };
};
const days = (query: RangeQuery, exists?: string): [string, string] => {
  const { start, end } = range(query, exists);
  return [start, end];
};
const warnings = (query: RangeQuery, exists?: string): string[] => range(query, exists).warnings;
const refused = (query: RangeQuery): Record<string, string[]> | undefined => {
  try {
    range(query);
  } catch (error) {
    assert.instance(error, Invalid);
    return (error as Invalid).errors.query;
  }
  return undefined;
};

const FUTURE = 'The end of the range is in the future; today, 2026-11-20, was used.';
const BEFORE = (day: string) => `The start of the range is before the component existed; ${day} was used.`;
const LONG = (day: string) => `The range is longer than six months; it was shortened to start on ${day}.`;

test('an uptime range accepts whole dates', () => {
  assert.equal(range({ start: '2026-10-01', end: '2026-10-31' }), {
    start: '2026-10-01',
    end: '2026-10-31',
    warnings: [],
  });
  assert.equal(days({ start: '2026-10-01', end: '2026-10-01' }), ['2026-10-01', '2026-10-01']);
});

test('an uptime range reads a month as its first day at the start and its last day at the end', () => {
  assert.equal(days({ start: '2026-08', end: '2026-09' }), ['2026-08-01', '2026-09-30']);
  assert.equal(days({ start: '2024-02', end: '2024-02' }), ['2024-02-01', '2024-02-29']);
});

test('an uptime range reads a year as 1 January at the start and 31 December at the end', () => {
  assert.equal(days({ start: '2026', end: '2026-03-31' }), ['2026-01-01', '2026-03-31']);
  assert.equal(days({ start: '2025-10-01', end: '2025' }), ['2025-10-01', '2025-12-31']);
});

test('an uptime range covers the last 90 days by default', () => {
  assert.equal(range({}), { start: '2026-08-22', end: '2026-11-20', warnings: [] });
});

test('an uptime range without dates starts with the component if the component is younger than 90 days', () => {
  assert.equal(range({}, '2026-11-01'), { start: '2026-11-01', end: '2026-11-20', warnings: [] });
});

test('an uptime range whose given end is more than 90 days ago covers the 90 days before this end', () => {
  assert.equal(range({ end: '2026-08-21' }), { start: '2026-05-23', end: '2026-08-21', warnings: [] });
  assert.equal(range({ end: '2026-08-22' }), { start: '2026-08-22', end: '2026-08-22', warnings: [] });
  assert.equal(range({ end: '2025' }), { start: '2025-10-02', end: '2025-12-31', warnings: [] });
  assert.equal(range({ end: '2026-08-21' }, '2026-08-01'), { start: '2026-08-01', end: '2026-08-21', warnings: [] });
});

test('an uptime range with dates before the component or in the future keeps these dates', () => {
  const before = { start: '2018-01-01', end: '2019-12-31', warnings: [] };
  assert.equal(range({ start: '2018', end: '2019' }), before);
  assert.equal(range({ start: '2027-01', end: '2027-01' }), { start: '2027-01-01', end: '2027-01-31', warnings: [] });
  assert.equal(range({ end: '2019-12-31' }), { start: '2019-10-02', end: '2019-12-31', warnings: [] });
  assert.equal(range({}, '2026-12-24'), { start: '2026-08-22', end: '2026-11-20', warnings: [] });
  assert.equal(range({ start: '1960', end: '1965' }, '1950-01-01'), {
    start: '1960-01-01',
    end: '1965-12-31',
    warnings: [],
  });
});

test('an uptime range that contains no measurable time is marked as outside', () => {
  const outside = (query: RangeQuery) => rangeOf(requestedDays(query, TODAY), TODAY, '2020-01-01').outside;
  assert.equal([outside({ end: '2019' }), outside({ start: '2027', end: '2028' })], [true, true]);
  assert.equal([outside({}), outside({ start: '2019', end: '2020' })], [false, false]);
});

test('an uptime range ends today at the latest', () => {
  assert.equal(days({ start: '2026-11-01', end: '2026' }), ['2026-11-01', '2026-11-20']);
  assert.equal(warnings({ start: '2026-11-01', end: '2026' }), [FUTURE]);
  assert.equal(warnings({ start: '2026-11-01', end: TODAY }), []);
});

test('an uptime range starts with the component at the earliest', () => {
  assert.equal(days({ start: '2020-01', end: '2020-03' }, '2020-02-10'), ['2020-02-10', '2020-03-31']);
  assert.equal(warnings({ start: '2020-01', end: '2020-03' }, '2020-02-10'), [BEFORE('2020-02-10')]);
});

test('an uptime range starts in 1970 at the earliest', () => {
  assert.equal(range({ start: '1969-12-01', end: '1970-02-01' }, '1950-01-01'), {
    start: '1970-01-01',
    end: '1970-02-01',
    warnings: ['The start of the range is before the earliest supported date; 1970-01-01 was used.'],
  });
});

test('an uptime range is at most six calendar months long', () => {
  assert.equal(range({ start: '2026-01-01', end: '2026-07-15' }), {
    start: '2026-01-16',
    end: '2026-07-15',
    warnings: [LONG('2026-01-16')],
  });
  assert.equal(warnings({ start: '2026-01-16', end: '2026-07-15' }), []);
  assert.equal(warnings({ start: '2026-03-01', end: '2026-08-31' }), []);
  assert.equal(days({ start: '2026-02-28', end: '2026-08-31' }), ['2026-03-01', '2026-08-31']);
});

test('an uptime range is limited at its end, its start and its length in this order, with a warning each', () => {
  assert.equal(range({ start: '2019', end: '2030' }), {
    start: '2026-05-21',
    end: '2026-11-20',
    warnings: [FUTURE, BEFORE('2020-01-01'), LONG('2026-05-21')],
  });
});

test("an uptime range can't start after its end", () => {
  assert.equal(refused({ start: '2026-10-02', end: '2026-10-01' }), { start: ['Must not be after end.'] });
  assert.equal(refused({ start: '2026-11-21' }), { start: ['Must not be after end.'] });
});

test('an uptime range refuses malformed dates', () => {
  const sentence = ['Must be a date such as 2026-11-20, a month or a year.'];
  for (const text of [
    '',
    '26',
    '2026-13',
    '2026-1',
    '2026-02-30',
    '2026-11-20T00:00:00Z',
    'today',
    '0000',
    '2026-00',
  ]) {
    assert.equal(refused({ start: text }), { start: sentence }, text);
    assert.equal(refused({ end: text }), { end: sentence }, text);
  }
  assert.equal(refused({ start: 'x', end: 'y' }), { start: sentence, end: sentence });
});

test.run();
