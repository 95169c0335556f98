import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bodyOf, newDraft, periodOf } from '../../../console/screens/report-form/draft.ts';
import { percentText, timeBars, timeText, uptimeBars } from '../../../console/screens/report/figures.ts';

const test = suite('reports in the console');

test('a report shows 100 % uptime only if nothing failed', () => {
  assert.equal(
    [null, 100, 99.9999, 99.91, 99.5, 0].map((value) => percentText(value, 'en')),
    ['–', '100.00 %', '99.999 %', '99.910 %', '99.50 %', '0.00 %'],
  );
  assert.equal(
    [null, 12.4, 1_234].map((value) => timeText(value, 'en')),
    ['–', '12 ms', '1.23 sec'],
  );
});

const day = (uptime_percentage: number | null, average_response_time: number | null = null) => ({
  day: '2026-11-20',
  uptime_percentage,
  average_response_time,
});

test('a report shows days as bars, which are green only if they meet the uptime target', () => {
  const states = uptimeBars([day(100), day(99.95), day(97), day(50), day(null)], 99.99).map(
    (bar) => bar?.state ?? null,
  );
  assert.equal(states, ['operational', 'degraded', 'degraded', 'major', null]);
  assert.equal(
    uptimeBars([day(100), day(90)], null).map((bar) => bar?.height),
    [1, 0.1],
  );
  assert.equal(
    timeBars([day(null, 50), day(null, 100), day(null)]).map((bar) => bar?.height ?? null),
    [0.5, 1, null],
  );
});

test('a new report covers whole days that have ended, or the previous month', () => {
  assert.equal(periodOf('last7', '2026-11-27'), { period_start: '2026-11-20', period_end: '2026-11-26' });
  assert.equal(periodOf('last30', '2026-03-01'), { period_start: '2026-01-30', period_end: '2026-02-28' });
  assert.equal(periodOf('lastMonth', '2026-03-31'), { period_start: '2026-02-01', period_end: '2026-02-28' });
  assert.equal(periodOf('lastMonth', '2026-01-01'), { period_start: '2025-12-01', period_end: '2025-12-31' });
});

test('the report form sends one subject, and either a period or a schedule', () => {
  const draft = { ...newDraft('Europe/Berlin'), name: ' Monthly ', subject: 'tag' as const, tag: 'eu', page_id: 'p' };
  assert.equal(bodyOf(draft, '2026-11-27'), {
    name: 'Monthly',
    report_type: 'uptime',
    format: 'pdf',
    schedule: null,
    time_zone: 'Europe/Berlin',
    target_percentage: null,
    recipients: [],
    tag: 'eu',
    period_start: '2026-10-28',
    period_end: '2026-11-26',
  });
  const repeated = bodyOf({ ...draft, schedule: 'monthly', subject: 'page' }, '2026-11-27');
  assert.equal(
    [repeated.schedule, repeated.page_id, repeated.tag, repeated.period_start],
    ['monthly', 'p', undefined, undefined],
  );
});

test.run();
