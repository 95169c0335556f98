import type { JSX } from 'preact';
import { StateIcon, type State } from '../../../views/status/state.tsx';
import { Icon } from '../../parts/icon.tsx';
import { dayText, momentText } from '../../parts/times/moment-text.ts';
import { momentOf } from '../../parts/times/since.tsx';
import { SERVICE_URL } from '../../urls.ts';
import { language, words } from '../../shell/language.ts';
import type { Report } from './source.ts';

const SHAPES: Readonly<Record<Report['status'], State>> = {
  queued: 'none',
  completed: 'operational',
  failed: 'major',
};

export const StatusText = ({ report: { status } }: { report: Report }): JSX.Element => (
  <span class="named">
    <StateIcon state={SHAPES[status]} /> <span>{words.value.reports.statuses[status]}</span>
  </span>
);

/** Shows the first and the last day of a report, in the report's time zone. */
export const PeriodText = ({ report }: { report: Report }): JSX.Element => {
  const { period_start, period_end, time_zone } = report;
  const day = (instant: string): string => dayText(momentOf(instant), language.value, time_zone);
  return (
    <span>
      {day(period_start)} – {day(period_end)}
    </span>
  );
};

/** Shows whether a report is repeated, and when it is created next. */
export const ScheduleText = ({ report }: { report: Report }): JSX.Element => {
  const { schedule, next_run_at, time_zone, scheduled_by } = report;
  const says = words.value.reports;
  if (schedule === null) return <>{scheduled_by === null ? '–' : says.bySchedule}</>;
  return (
    <span>
      {says.schedules[schedule]}
      {next_run_at !== null && (
        <span class="fine">
          {', '}
          {says.nextRun(momentText(momentOf(next_run_at), language.value, time_zone))}
        </span>
      )}
    </span>
  );
};

/**
 * Returns the URL of a file at the origin from which this console was loaded. The API builds links from `PUBLIC_URL`,
 * which may be a different origin, and the console's content security policy forbids loading from other origins.
 */
export const fileAddress = (download_url: string): string => {
  const { pathname, search } = new URL(download_url, SERVICE_URL);
  return new URL(`${pathname.slice(pathname.lastIndexOf('/v1/') + 1)}${search}`, SERVICE_URL).href;
};

/** A link that downloads the file of a report. */
export const Download = ({ report, as = 'link' }: { report: Report; as?: 'link' | 'button' }): JSX.Element | null => {
  const { download_url, format, name } = report;
  if (download_url === null) return null;
  const file = format.toUpperCase();
  const says = words.value.reports.download(file);
  return (
    <a
      href={fileAddress(download_url)}
      download
      class={as === 'button' ? 'button' : undefined}
      aria-label={`${says}: ${name}`}
    >
      <Icon name="download" /> {as === 'button' ? says : file}
    </a>
  );
};
