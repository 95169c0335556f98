import type { JSX } from 'preact';
import { Failure, failureOf, unreachable } from '../../api/failure.ts';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { FailureLine } from '../../parts/failure-line.tsx';
import { Link } from '../../parts/link.tsx';
import { Loading } from '../../parts/loading.tsx';
import { durationOf, Moment } from '../../parts/times/since.tsx';
import { useLoaded } from '../../session/loaded.ts';
import { language, words } from '../../shell/language.ts';
import { fileAddress } from '../reports/parts.tsx';
import type { Report } from '../reports/source.ts';
import { DayChart } from './day-chart.tsx';
import { percentText, timeBars, timeText, uptimeBars, type Day } from './figures.ts';

/** The parts of a JSON report that the console displays (docs/reference/reports.md#json-file). */
interface File {
  days: readonly Day[];
  checks: readonly {
    id: string;
    name: string;
    uptime_percentage: number | null;
    average_response_time: number | null;
    p95: number | null;
    outages: number;
    downtime: number;
  }[];
  outages: readonly {
    check_id: string;
    check_name: string;
    started_at: string;
    duration: number;
    cause: string | null;
  }[];
}

/** Loads the file of a report. The request needs no credentials, because the link is signed. */
const loadFile = async (download_url: string, signal: AbortSignal): Promise<File> => {
  const answer = await fetch(fileAddress(download_url), { signal, credentials: 'omit', redirect: 'error' }).catch(
    (error: unknown) => {
      if (error instanceof DOMException && error.name === 'AbortError') throw error;
      throw unreachable();
    },
  );
  if (!answer.ok) throw await failureOf(answer);
  try {
    return (await answer.json()) as File;
  } catch {
    throw new Failure(answer.status, answer.statusText, {});
  }
};

/** Shows the charts and tables of a report, if its file is in a format that the console can read. */
export const Content = ({ report }: { report: Report }): JSX.Element | null => {
  const { status, format, download_url } = report;
  if (status !== 'completed' || download_url === null) return null;
  if (format !== 'json') return <p class="hint">{words.value.reports.onlyJson}</p>;
  return <Read report={report} download_url={download_url} />;
};

/**
 * Loads and shows the file of a report.
 *
 * @param download_url signed link, which changes every 15 minutes although the file stays the same
 */
const Read = ({ report, download_url }: { report: Report; download_url: string }): JSX.Element => {
  const { loaded, again } = useLoaded((signal) => loadFile(download_url, signal), [report.id]);
  if (loaded.status === 'loading') return <Loading />;
  if (loaded.status === 'failed') return <FailureLine failure={loaded.failure} again={again} />;
  return <Charts report={report} file={loaded.value} />;
};

const Charts = ({ report, file }: { report: Report; file: File }): JSX.Element => {
  const says = words.value.reports;
  const locale = language.value;
  return (
    <>
      {report.report_type !== 'response_time' && (
        <DayChart
          title={says.uptimeByDay}
          days={file.days}
          bars={uptimeBars(file.days, report.target_percentage)}
          textOf={({ uptime_percentage }) => percentText(uptime_percentage, locale)}
        />
      )}
      {report.report_type !== 'incidents' && (
        <DayChart
          title={says.timesByDay}
          days={file.days}
          bars={timeBars(file.days)}
          textOf={({ average_response_time }) => timeText(average_response_time, locale)}
        />
      )}
      <Tables file={file} />
    </>
  );
};

/** Maximum number of rows shown. The file contains all rows. */
const MOST_ROWS = 100;

const Tables = ({ file }: { file: File }): JSX.Element => {
  const { reports: says, common } = words.value;
  const locale = language.value;
  const checks: Column<File['checks'][number]>[] = [
    {
      name: 'name',
      label: common.name,
      kind: 'key',
      cell: ({ id, name }) => (
        <Link to={`/checks/${id}`}>
          <bdi>{name}</bdi>
        </Link>
      ),
    },
    {
      name: 'uptime',
      label: says.uptime,
      kind: 'number',
      cell: ({ uptime_percentage }) => percentText(uptime_percentage, locale),
    },
    { name: 'downtime', label: says.downtime, kind: 'number', cell: ({ downtime }) => durationOf(downtime, locale) },
    { name: 'outages', label: says.outages, kind: 'number', cell: ({ outages }) => outages.toString() },
    {
      name: 'average',
      label: says.average,
      kind: 'number',
      cell: ({ average_response_time }) => timeText(average_response_time, locale),
    },
    { name: 'slow', label: 'p95', kind: 'number', cell: ({ p95 }) => timeText(p95, locale) },
  ];
  const outages: Column<File['outages'][number]>[] = [
    { name: 'check', label: common.name, kind: 'key', cell: ({ check_name }) => <bdi>{check_name}</bdi> },
    { name: 'started', label: says.started, cell: ({ started_at }) => <Moment instant={started_at} /> },
    { name: 'duration', label: says.duration, kind: 'number', cell: ({ duration }) => durationOf(duration, locale) },
    { name: 'cause', label: says.cause, kind: 'wide', cell: ({ cause }) => <bdi>{cause ?? '–'}</bdi> },
  ];
  // Sort the worst checks first, because they matter most.
  const worst = [...file.checks].sort(
    (one, other) => (one.uptime_percentage ?? 101) - (other.uptime_percentage ?? 101) || other.downtime - one.downtime,
  );
  return (
    <>
      {worst.length > 0 && (
        <section>
          <h2>{says.checks}</h2>
          <DataTable label={says.checks} columns={checks} rows={worst.slice(0, MOST_ROWS)} keyOf={({ id }) => id} />
        </section>
      )}
      {file.outages.length > 0 && (
        <section>
          <h2>{says.outages}</h2>
          <DataTable
            label={says.outages}
            columns={outages}
            rows={file.outages.slice(0, MOST_ROWS)}
            keyOf={({ check_id, started_at }) => `${check_id} ${started_at}`}
          />
        </section>
      )}
    </>
  );
};
