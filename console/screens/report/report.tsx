import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useLive, type LiveSource } from '../../live/live-data.ts';
import { ConfirmDialog } from '../../parts/overlays/confirm-dialog.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FailureLine } from '../../parts/failure-line.tsx';
import { FailurePanel } from '../../parts/failure-panel.tsx';
import { NotFoundPanel } from '../../parts/not-found-panel.tsx';
import { Link } from '../../parts/link.tsx';
import { Loading } from '../../parts/loading.tsx';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { Moment } from '../../parts/times/since.tsx';
import { Known } from '../../past/known.tsx';
import { navigate } from '../../router/router.ts';
import type { Params } from '../../router/match.ts';
import { call } from '../../session/call.ts';
import { may } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';
import { Download, PeriodText, ScheduleText, StatusText } from '../reports/parts.tsx';
import { pageNames, type Report } from '../reports/source.ts';
import { subjectText } from '../reports/subject.ts';
import { Content } from './content.tsx';
import { Summary } from './summary.tsx';

interface LoadedReport {
  /** null: the report was deleted while the screen was open */
  report: Report | null;
  pages: ReadonlyMap<string, string>;
}

const oneReport = (report_id: string): LiveSource<LoadedReport> => ({
  load: async (signal) => {
    const report = await call('GET /v1/reports/{report_id}', { params: { report_id } }, { signal });
    return { report, pages: report.page_id === null ? new Map<string, string>() : await pageNames(signal) };
  },
  resources: ['report'],
  merge: (found, changes) => {
    const mine = changes.filter(({ id }) => id === report_id).at(-1);
    if (!mine) return found;
    return mine.change === 'deleted' ? { ...found, report: null } : null;
  },
});

/** The screen of a report: its figures, its charts, and its file. */
const ReportScreen = ({ params }: { params: Params }): JSX.Element => {
  const id = params['report_id'] ?? '';
  const { loaded, again } = useLive(oneReport(id), [id]);
  if (loaded.status === 'loading') return <Loading />;
  const found = loaded.value;
  const report = found?.report ?? null;
  const isGone = loaded.status === 'failed' ? loaded.failure.status === 404 : report === null;
  if (isGone) return <NotFoundPanel to="/reports" label={words.value.screens.reports} />;
  if (found === null || report === null)
    return loaded.status === 'failed' ? <FailurePanel failure={loaded.failure} again={again} /> : <Loading />;
  return (
    <div class="report">
      <Head report={report} />
      {loaded.status === 'failed' && <FailureLine failure={loaded.failure} again={again} />}
      <About report={report} pages={found.pages} />
      {report.summary && <Summary report={report} summary={report.summary} />}
      <Content report={report} />
    </div>
  );
};
export default ReportScreen;

const Head = ({ report }: { report: Report }): JSX.Element => {
  const deleting = useSignal(false);
  const { id, name, schedule } = report;
  const { reports: says, common, screens } = words.value;
  return (
    <>
      <ScreenHead title={name} isName back={{ to: '/reports', label: screens.reports }}>
        <Download report={report} as="button" />
        {may('DELETE /v1/reports/{report_id}') && (
          <button
            class="button danger"
            onClick={() => {
              deleting.value = true;
            }}
          >
            {common.delete}
          </button>
        )}
      </ScreenHead>
      {deleting.value && (
        <ConfirmDialog
          title={says.deleteTitle}
          text={
            <>
              <p>
                <bdi>{name}</bdi>
              </p>
              <p>{says.deleteText}</p>
              {schedule !== null && <p>{says.deleteScheduleText}</p>}
            </>
          }
          action={common.delete}
          danger
          onConfirm={async () => {
            await call('DELETE /v1/reports/{report_id}', { params: { report_id: id } });
            navigate('/reports');
          }}
          onClose={() => {
            deleting.value = false;
          }}
        />
      )}
    </>
  );
};

const About = ({ report, pages }: { report: Report; pages: LoadedReport['pages'] }): JSX.Element => {
  const { reports: says, common } = words.value;
  const { report_type, status, error_message, recipients, time_zone, created_at, download_url, scheduled_by } = report;
  return (
    <>
      {status === 'queued' && <p class="notice">{says.queuedText}</p>}
      {status === 'failed' && error_message !== null && (
        <p class="problem whole">
          <bdi>{error_message}</bdi>
        </p>
      )}
      {status === 'completed' && download_url === null && (
        <p class="notice">
          <Known name="download_url" value={null}>
            {says.noFile}
          </Known>
        </p>
      )}
      <Facts
        facts={[
          [says.type, says.types[report_type]],
          [says.subject, <bdi>{subjectText(report, pages, words.value)}</bdi>],
          [
            says.period,
            <>
              <PeriodText report={report} /> <span class="zone">{time_zone}</span>
            </>,
          ],
          [says.status, <StatusText report={report} />],
          [
            says.schedule,
            scheduled_by === null ? (
              <ScheduleText report={report} />
            ) : (
              <Link to={`/reports/${scheduled_by}`}>{says.bySchedule}</Link>
            ),
          ],
          [says.recipients, recipients.length === 0 ? common.none : <bdi>{recipients.join(', ')}</bdi>],
          [common.created, <Moment instant={created_at} />],
        ]}
      />
    </>
  );
};
