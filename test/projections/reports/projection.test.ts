import { suite } from 'uvu';
import { reports } from '../../../projections/reports/projection.ts';
import { completed, REPORT_ID, requested } from '../../domain/report/examples.ts';
import type { Fact } from '../history.ts';
import { projection, projectionRules } from '../specification.ts';

const LATER = '2026-11-23T00:00:01.000000';
const recipient = { key: `report-${REPORT_ID}`, sealed: 'AAAA' };
const template: Fact = requested(
  { schedule: 'weekly' },
  { next_run_at: '2026-11-23T00:00:00.000000', recipients: [recipient] },
);
const repeated: Fact = {
  type: 'ReportRepeated',
  data: {
    report_id: REPORT_ID,
    run_id: 'report000002',
    repeated_at: LATER,
    period_start: '2026-11-16T00:00:00.000000',
    period_end: '2026-11-22T23:59:59.999999',
    next_run_at: '2026-11-30T00:00:00.000000',
  },
};
const failed: Fact = {
  type: 'ReportFailed',
  data: { report_id: REPORT_ID, failed_at: LATER, error_message: 'Its file is too large.' },
};
const deleted: Fact = { type: 'ReportDeleted', data: { report_id: REPORT_ID, deleted_at: LATER } };

projectionRules(reports, [template, failed, completed, repeated, deleted]);

const test = suite('the read model of reports');

test('a new report is listed until it is generated', async () => {
  const history = projection(reports).given(requested());
  await history.then('report_makings', {
    id: REPORT_ID,
    organization_id: 'org000000001',
    due_at: '2026-11-16T09:00:00.000000',
    changed_position: 10,
  });
  await history.thenNone('report_turns');
});

test('a completed report has a notice for its recipients', async () => {
  const history = projection(reports).given(template, completed);
  await history.thenNone('report_makings');
  await history.then('report_notices', {
    id: REPORT_ID,
    organization_id: 'org000000001',
    cause: { kind: 'report', id: REPORT_ID },
    priority: 'page',
    series: null,
    caused_at: completed.data.completed_at,
    changed_position: 20,
  });
  await history.then('report_turns', {
    id: REPORT_ID,
    organization_id: 'org000000001',
    due_at: '2026-11-23T00:00:00.000000',
    changed_position: 10,
  });
});

test('a failed report has its reason', async () => {
  const history = projection(reports).given(requested(), failed);
  await history.thenNone('report_makings');
  const { report, recipients, created_by, scheduled_by, next_run_at } = requested().data;
  await history.then('reports', {
    id: REPORT_ID,
    organization_id: 'org000000001',
    ...report,
    recipients,
    status: 'failed',
    error_message: 'Its file is too large.',
    summary: null,
    artifact_id: null,
    size: null,
    created_by,
    scheduled_by,
    next_run_at,
    created_at: '2026-11-16T09:00:00.000000',
    completed_at: null,
  });
});

test('the next run of a scheduled report is listed, and a deleted report is only on the list of deleted reports', async () => {
  await projection(reports).given(template, repeated).then('report_turns', {
    id: REPORT_ID,
    organization_id: 'org000000001',
    due_at: '2026-11-30T00:00:00.000000',
    changed_position: 20,
  });
  const history = projection(reports).given(template, completed, deleted);
  for (const gone of ['reports', 'report_makings', 'report_turns', 'report_notices'] as const) {
    await history.thenNone(gone);
  }
  await history.then('deleted_reports', { id: REPORT_ID, organization_id: 'org000000001', changed_position: 30 });
});

test('a report without recipients has no notice', async () => {
  await projection(reports).given(requested(), completed).thenNone('report_notices');
});

test.run();
