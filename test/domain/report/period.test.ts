import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { reportPeriodOf } from '../../../domain/report/period.ts';
import { lastPeriodOf } from '../../../domain/report/scheduled-periods.ts';

const KEPT = { from: '2026-05-20T00:00:00.000000', now: '2026-11-18T12:00:00.000000' };
const periodOf = (period_start?: string, period_end?: string, time_zone = 'UTC') =>
  reportPeriodOf({ period_start, period_end, schedule: null, time_zone }, KEPT);

const test = suite('the period of a report');

test('a report covers whole days of its time zone if its period is given as dates', () => {
  assert.equal(periodOf('2026-11-01', '2026-11-10', 'Europe/Moscow'), {
    period_start: '2026-10-31T21:00:00.000000',
    period_end: '2026-11-10T20:59:59.999999',
  });
});

test('a report period ends now at the latest', () => {
  assert.equal(periodOf('2026-11-01', '2026-11-30'), {
    period_start: '2026-11-01T00:00:00.000000',
    period_end: KEPT.now,
  });
});

test('a report period begins before its end, in the past, and within the retention of results', () => {
  assert.equal(periodOf('2026-11-10T00:00:00Z', '2026-11-10T00:00:00Z'), {
    errors: { period_start: ['Must be before period_end.'] },
  });
  assert.equal(periodOf('2026-12-01', '2026-12-02'), { errors: { period_start: ['Must be in the past.'] } });
  assert.equal(periodOf('2026-05-19', '2026-06-01'), {
    errors: { period_start: ['Must not be before 2026-05-20T00:00:00Z: older results are no longer stored.'] },
  });
  assert.equal(periodOf('2026-11-10'), { errors: { period_end: ['Missing required field.'] } });
});

test('a scheduled report covers the last complete week or month', () => {
  const scheduled = (schedule: 'weekly' | 'monthly') =>
    reportPeriodOf({ period_start: undefined, period_end: undefined, schedule, time_zone: 'UTC' }, KEPT);
  assert.equal(scheduled('weekly'), {
    period_start: '2026-11-09T00:00:00.000000',
    period_end: '2026-11-15T23:59:59.999999',
  });
  assert.equal(scheduled('monthly'), {
    period_start: '2026-10-01T00:00:00.000000',
    period_end: '2026-10-31T23:59:59.999999',
  });
});

test('a scheduled report follows its time zone, also across clock changes', () => {
  // Summer time in Berlin ends on 25 October 2026.
  assert.equal(lastPeriodOf('weekly', 'Europe/Berlin', '2026-10-25T23:30:00.000000'), {
    period_start: '2026-10-18T22:00:00.000000',
    period_end: '2026-10-25T22:59:59.999999',
    next_run_at: '2026-11-01T23:00:00.000000',
  });
  assert.is(lastPeriodOf('monthly', 'UTC', '2026-12-31T23:59:59.999999').next_run_at, '2027-01-01T00:00:00.000000');
});

test.run();
