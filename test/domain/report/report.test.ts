import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NotFound } from '../../../domain/errors.ts';
import type { ReportEvent } from '../../../domain/report/events.ts';
import { completeReport, deleteReport, failReport, dueRun, repeatReport } from '../../../domain/report/decide.ts';
import { reportDecider, type Report } from '../../../domain/report/state.ts';
import { specification } from '../specification.ts';
import { completed, NO_SUMMARY, REPORT_ID, requested } from './examples.ts';

const LATER = '2026-11-16T09:01:00.000000';
const report = specification(reportDecider);
const test = suite('a report');

const made = { artifact_id: `report-${REPORT_ID}`, size: 1_000, summary: NO_SUMMARY };
const stateAfter = (...events: readonly ReportEvent[]): Report =>
  events.reduce(reportDecider.evolve, reportDecider.initialState);

test("a report is completed once and can't fail afterwards", () => {
  const complete = (state: Report) => completeReport(state, made, completed.data.completed_at);
  report.given(requested()).when(complete).then(completed);
  report.given(requested(), completed).when(complete).thenNothing();
  report
    .given(requested(), completed)
    .when((state) => failReport(state, 'The disk is full.', LATER))
    .thenNothing();
});

test('a report deleted while it is generated is not completed', () => {
  const deleted: ReportEvent = { type: 'ReportDeleted', data: { report_id: REPORT_ID, deleted_at: LATER } };
  report
    .given(requested())
    .when((state) => deleteReport(state, LATER))
    .then(deleted);
  report
    .given(requested(), deleted)
    .when((state) => completeReport(state, made, LATER))
    .throws(NotFound, 'There is no such report.');
});

const template = requested(
  { schedule: 'weekly', period_start: '2026-11-09T00:00:00.000000', period_end: '2026-11-15T23:59:59.999999' },
  { next_run_at: '2026-11-23T00:00:00.000000' },
);

test('a report template requests no report about a week that has not ended', () => {
  assert.is(dueRun(stateAfter(template), '2026-11-22T23:59:59.000000'), null);
});

test('a report template requests only the newest week if several were missed', () => {
  const turn = dueRun(stateAfter(template), '2026-12-09T11:00:00.000000');
  assert.is(turn?.period_start, '2026-11-30T00:00:00.000000');
  assert.is(turn?.period_end, '2026-12-06T23:59:59.999999');
  assert.is(turn?.next_run_at, '2026-12-14T00:00:00.000000');
});

test('a report template requests each report once, even if the clock was set back', () => {
  const now = '2026-11-23T00:00:01.000000';
  const turn = dueRun(stateAfter(template), now);
  assert.ok(turn);
  const after = stateAfter(template, repeatReport(stateAfter(template), turn, now));
  assert.is(dueRun(after, now), null);
  assert.is(dueRun(after, '2026-11-17T00:00:00.000000'), null);
});

test.run();
