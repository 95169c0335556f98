import type { JSX } from 'preact';
import { useLive } from '../../live/live-data.ts';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { FailureLine } from '../../parts/failure-line.tsx';
import { FailurePanel } from '../../parts/failure-panel.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Link } from '../../parts/link.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Panel } from '../../parts/panel.tsx';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { Moment } from '../../parts/times/since.tsx';
import { navigate, currentLocation } from '../../router/router.ts';
import { may } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';
import { Download, PeriodText, ScheduleText, StatusText } from './parts.tsx';
import { reportsOn, type ReportPage, type Report } from './source.ts';
import { subjectText } from './subject.ts';

/** The reports, newest first. */
const Reports = (): JSX.Element => {
  const page = Math.max(1, Math.floor(Number(currentLocation.value.query.get('page') ?? 1)) || 1);
  const { loaded, again } = useLive(reportsOn(page), [page]);
  const { screens, reports: says } = words.value;
  const value = loaded.status === 'loading' ? null : loaded.value;
  const create = may('POST /v1/reports') && (
    <Link to="/reports/new" class="button primary">
      <Icon name="add" /> {says.new}
    </Link>
  );
  return (
    <div class="reports">
      <ScreenHead title={screens.reports}>{create}</ScreenHead>
      {loaded.status === 'loading' && <Loading />}
      {loaded.status === 'failed' && value === null && <FailurePanel failure={loaded.failure} again={again} />}
      {loaded.status === 'failed' && value !== null && <FailureLine failure={loaded.failure} again={again} />}
      {value?.pagination.total_items === 0 && (
        <Panel title={says.empty} text={says.emptyText}>
          {create}
        </Panel>
      )}
      {value !== null && value.pagination.total_items > 0 && <List listed={value} />}
    </div>
  );
};
export default Reports;

const List = ({ listed: { reports, pages, pagination } }: { listed: ReportPage }): JSX.Element => {
  const { reports: says, screens, common } = words.value;
  const columns: Column<Report>[] = [
    {
      name: 'name',
      label: common.name,
      kind: 'key',
      cell: ({ id, name }) => (
        <Link to={`/reports/${id}`}>
          <bdi>{name}</bdi>
        </Link>
      ),
    },
    { name: 'type', label: says.type, cell: ({ report_type }) => says.types[report_type] },
    { name: 'subject', label: says.subject, cell: (report) => <bdi>{subjectText(report, pages, words.value)}</bdi> },
    { name: 'period', label: says.period, cell: (report) => <PeriodText report={report} /> },
    { name: 'status', label: says.status, cell: (report) => <StatusText report={report} /> },
    { name: 'schedule', label: says.schedule, cell: (report) => <ScheduleText report={report} /> },
    {
      name: 'created',
      label: common.created,
      kind: 'number',
      cell: ({ created_at }) => <Moment instant={created_at} />,
    },
    { name: 'file', label: says.format, kind: 'actions', cell: (report) => <Download report={report} /> },
  ];
  return (
    <>
      <DataTable label={screens.reports} columns={columns} rows={reports} keyOf={({ id }) => id} />
      <Pager
        pagination={pagination}
        onPage={(page) => {
          navigate(`/reports?page=${page}`);
        }}
      />
    </>
  );
};
