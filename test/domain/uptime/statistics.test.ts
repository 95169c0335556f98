import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { calendarOf } from '../../../domain/uptime/days.ts';
import { laneSetByHand, type Lane } from '../../../domain/uptime/lane.ts';
import {
  figuresOf,
  firstDayOf,
  measuring,
  timeSpanOf,
  type ComponentExistence,
} from '../../../domain/uptime/statistics.ts';
import { HOUR_MS } from '../../../domain/time.ts';

const test = suite('uptime statistics');

const hours = (total: number, major = 0, partial = 0) => ({
  total: total * HOUR_MS,
  major: major * HOUR_MS,
  partial: partial * HOUR_MS,
});
const ever: ComponentExistence = { start_date: '2020-01-01', created_at: '2026-01-01T00:00:00.000000' };
const lanes: Lane[] = [
  laneSetByHand('edit', '2026-03-29T00:00:00.000000', '1', 'major_outage'),
  laneSetByHand('edit', '2026-03-30T12:00:00.000000', '2', 'operational'),
];
const statisticsOf = (start: string, end: string, zone: string, exists = ever, now = '2026-11-20T12:00:00.000000') => {
  const calendar = calendarOf(zone);
  const steps = measuring(lanes, timeSpanOf({ start, end }, calendar, now), exists, calendar);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
};

test('uptime counts a major outage in full and a partial outage at 0.3', () => {
  assert.equal(figuresOf([hours(100, 1)]), { uptime_percentage: 99, major_outage: 3_600, partial_outage: 0 });
  assert.equal(figuresOf([hours(100, 0, 10)]), { uptime_percentage: 97, major_outage: 0, partial_outage: 36_000 });
  assert.equal(figuresOf([hours(100, 1, 10)]), { uptime_percentage: 96, major_outage: 3_600, partial_outage: 36_000 });
});

test('uptime has two decimals, and downtime whole seconds', () => {
  assert.equal(figuresOf([{ total: 3 * HOUR_MS, major: HOUR_MS, partial: 0 }]).uptime_percentage, 66.67);
  assert.equal(figuresOf([{ total: HOUR_MS, major: 1_499, partial: 2_500 }]), {
    uptime_percentage: 99.94,
    major_outage: 1,
    partial_outage: 3,
  });
});

test('uptime is 100 % if no time was measured', () => {
  assert.equal(figuresOf([hours(0)]), { uptime_percentage: 100, major_outage: 0, partial_outage: 0 });
});

test('the uptime of a group is the mean of its components', () => {
  assert.equal(figuresOf([hours(100, 1), hours(100, 0, 10), hours(100)]), {
    uptime_percentage: 98.67,
    major_outage: 1_200,
    partial_outage: 12_000,
  });
  assert.equal(figuresOf([]), { uptime_percentage: 100, major_outage: 0, partial_outage: 0 });
});

test('uptime is measured in days of the time zone of the page, with their actual length', () => {
  assert.equal(statisticsOf('2026-03-29', '2026-03-29', 'UTC'), hours(24, 24));
  assert.equal(statisticsOf('2026-03-29', '2026-03-29', 'Europe/Berlin'), hours(23, 22));
  assert.equal(statisticsOf('2026-03-28', '2026-03-30', 'Europe/Berlin'), hours(71, 36));
  assert.equal(statisticsOf('2026-10-25', '2026-10-25', 'Europe/Berlin'), hours(25));
});

test('uptime leaves out the future', () => {
  assert.equal(statisticsOf('2026-03-29', '2026-03-31', 'UTC', ever, '2026-03-29T06:00:00.000000'), hours(6, 6));
  assert.equal(statisticsOf('2027-01-01', '2027-01-31', 'UTC'), hours(0));
});

test('uptime leaves out the time before the start date or creation of the component', () => {
  const started: ComponentExistence = { start_date: '2026-03-30', created_at: '2026-01-01T00:00:00.000000' };
  const created: ComponentExistence = { start_date: null, created_at: '2026-03-30T06:00:00.000000' };
  assert.equal(statisticsOf('2026-03-29', '2026-03-30', 'UTC', started), hours(24, 12));
  assert.equal(statisticsOf('2026-03-29', '2026-03-30', 'UTC', created), hours(18, 6));
  assert.equal(statisticsOf('2026-03-01', '2026-03-02', 'UTC', started), hours(0));
});

test('uptime starts at the first day of a component in the time zone of the page', () => {
  const created = { start_date: null, created_at: '2026-03-30T23:00:00.000000' };
  assert.is(firstDayOf(created, calendarOf('Europe/Berlin')), '2026-03-31');
  assert.is(firstDayOf({ ...created, start_date: '2020-01-01' }, calendarOf('Europe/Berlin')), '2020-01-01');
});

test.run();
