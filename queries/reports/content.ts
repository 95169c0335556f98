import { mergeResponseTimes, percentileOf, type ResponseTimes } from '../../domain/check-result/response-times.ts';
import { IllegalState } from '../../domain/errors.ts';
import {
  budgetOf,
  meanPercentage,
  MAX_LISTED,
  meanOf,
  type ByDay,
  type CheckContent,
  type ComponentOutage,
  type ReportContent,
} from '../../domain/report/content.ts';
import { mergeSpans, NO_TIME_SPANS, secondsOf, type TimeSpans } from '../../domain/report/time-spans.ts';
import { laterOf, millisecondsOf, type Day, type Instant } from '../../domain/time.ts';
import { calendarOf, plusDays } from '../../domain/uptime/days.ts';
import type { CheckDocument } from '../../projections/checks/documents.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import { pages } from '../../projections/pages/projection.ts';
import type { ReportDocument } from '../../projections/reports/projection.ts';
import { findOrganization } from '../organizations/organizations.ts';
import type { Scope } from '../engine/scope.ts';
import { readRunStatistics, type ReportDays } from './check-statistics.ts';
import { findReportChecks, MAX_REPORT_SUBJECTS } from './report-checks.ts';
import { readComponentUptimes } from './component-uptime.ts';
import { readReportIncidents, type ReportIncidents } from './incidents.ts';
import { readOutages } from './outages.ts';

type QueryScope = Pick<Scope, 'read' | 'organizationId' | 'now'>;

/**
 * Reads the content of a report. All data is read in parts, with a pause after each (check-statistics.ts).
 *
 * @throws IllegalState if the report would cover too many checks or pages
 */
export const readReportContent = async (
  scope: QueryScope,
  report: ReportDocument,
  pause: () => Promise<void>,
): Promise<ReportContent> => {
  const { report_type, tag, period_start, period_end, time_zone, target_percentage } = report;
  const { name: organization } = await findOrganization(scope, scope.organizationId);
  const page = await pageOf(scope, report);
  const time = daysOf(period_start, period_end, time_zone);
  const run = await checksOf(scope, report, await findReportChecks(scope, report, page), time, pause);
  const query = { from: period_start, to: period_end, bounds: time.bounds, target: target_percentage };
  const shown = page && report_type === 'uptime' ? await readComponentUptimes(scope, page, query, pause) : [];
  const incidentReport = report_type === 'incidents' ? await incidentsIn(scope, page, time, pause) : NO_INCIDENTS;
  const uptimes = run.checks.length > 0 ? run.checks : shown;
  const uptime_percentage = meanPercentage(uptimes.map((one) => one.uptime_percentage));
  const isBelow = ({ uptime_percentage: uptime }: { uptime_percentage: number | null }): boolean =>
    uptime !== null && target_percentage !== null && uptime < target_percentage;
  return {
    id: report.id,
    name: report.name,
    report_type,
    tag,
    period_start,
    period_end,
    time_zone,
    target_percentage,
    organization,
    page: page?.name ?? null,
    generated_at: scope.now,
    summary: {
      checks: run.checks.length,
      components: shown.length,
      incidents: incidentReport.count,
      outages: run.outages,
      downtime: Math.round(secondsOf(mergeSpans(run.spans, incidentReport.spans))),
      uptime_percentage,
      average_response_time: run.timed === 0 ? null : Math.round(run.sum / run.timed),
      p50: percentileOf(run.times, 0.5),
      p95: percentileOf(run.times, 0.95),
      p99: percentileOf(run.times, 0.99),
      target_percentage,
      below_target: target_percentage === null ? null : [...run.checks, ...shown].filter(isBelow).length,
    },
    days: [...time.days],
    by_day: byDayOf(
      time.days,
      uptimes.map(({ by_day }) => by_day),
    ),
    checks: run.checks,
    components: shown,
    outages: report_type === 'response_time' ? [] : run.listed,
    incidents: incidentReport.listed,
  };
};

const NO_INCIDENTS: ReportIncidents = { count: 0, spans: NO_TIME_SPANS, listed: [] };

/** Returns the page of the report, or null if it has none. @throws IllegalState if the page was deleted */
const pageOf = async ({ read }: QueryScope, { page_id }: ReportDocument): Promise<PageDocument | null> => {
  if (page_id === null) return null;
  const page = await read(pages).pages.get(page_id);
  if (page?.deleted_at !== null) throw new IllegalState('The page of this report was deleted.');
  return page;
};

/** Returns the days of a period in a time zone. The first and the final day can be partial. */
const daysOf = (from: Instant, to: Instant, timeZone: string): ReportDays & { bounds: number[] } => {
  const calendar = calendarOf(timeZone);
  const [first, last] = [calendar.dayOf(from), calendar.dayOf(to)];
  const days: Day[] = [];
  for (let day = first; day <= last; day = plusDays(day, 1)) days.push(day);
  const bounds = [...days, plusDays(last, 1)].map((day) => calendar.startOf(day));
  /** Cached days by hour, because the same hours are looked up repeatedly and the calendar is slow. */
  const places = new Map<Instant, number>();
  const placeOf = (hour: Instant): number => {
    const known = places.get(hour);
    if (known !== undefined) return known;
    // An hour that began before the period belongs to the first day of the period.
    const place = Math.max(0, days.indexOf(calendar.dayOf(laterOf(hour, from))));
    places.set(hour, place);
    return place;
  };
  return { from, to, days, bounds, placeOf };
};

interface Runs {
  checks: CheckContent[];
  outages: number;
  spans: TimeSpans;
  listed: ComponentOutage[];
  times: ResponseTimes;
  sum: number;
  timed: number;
}

const newestFirst = (a: ComponentOutage, b: ComponentOutage): number => (a.started_at < b.started_at ? 1 : -1);

const checksOf = async (
  scope: QueryScope,
  { period_end, target_percentage }: ReportDocument,
  found: readonly CheckDocument[],
  time: ReportDays,
  pause: () => Promise<void>,
): Promise<Runs> => {
  const runs: Runs = { checks: [], outages: 0, spans: NO_TIME_SPANS, listed: [], times: [], sum: 0, timed: 0 };
  for (const check of found) {
    const { times, sum, timed, ...figures } = await readRunStatistics(scope, check.id, time, pause);
    const { count, spans, listed } = await readOutages(scope, check, time, pause);
    const since = laterOf(time.from, check.created_at);
    const seconds = Math.max(0, millisecondsOf(period_end) - millisecondsOf(since)) / 1_000;
    runs.checks.push({
      id: check.id,
      name: check.name,
      type: check.type,
      ...figures,
      outages: count,
      downtime: Math.round(secondsOf(spans)),
      budget: budgetOf(figures.uptime_percentage, target_percentage, seconds),
    });
    runs.outages += count;
    runs.spans = mergeSpans(runs.spans, spans);
    runs.listed = [...runs.listed, ...listed].sort(newestFirst).slice(0, MAX_LISTED);
    runs.times = mergeResponseTimes([runs.times, times]);
    runs.sum += sum;
    runs.timed += timed;
  }
  return runs;
};

/** Combines the values of all checks or components, by day: the mean, or the highest value for percentiles. */
const byDayOf = (days: readonly Day[], parts: readonly Partial<ByDay>[]): ByDay => {
  const column = (field: keyof ByDay, day: number): (number | null)[] =>
    parts.map((part) => part[field]?.[day] ?? null);
  const rounding = (value: number | null): number | null => (value === null ? null : Math.round(value));
  return {
    uptime: days.map((_, day) => meanPercentage(column('uptime', day))),
    total: days.map((_, day) => column('total', day).reduce<number>((sum, count) => sum + (count ?? 0), 0)),
    average: days.map((_, day) => rounding(meanOf(column('average', day)))),
    p95: days.map((_, day) =>
      column('p95', day).reduce((most, time) => (time !== null && time > (most ?? -1) ? time : most), null),
    ),
  };
};

/** @throws IllegalState if the organization has too many pages */
const incidentsIn = async (
  scope: QueryScope,
  page: PageDocument | null,
  time: ReportDays,
  pause: () => Promise<void>,
): Promise<ReportIncidents> => {
  if (page) return readReportIncidents(scope, [page], time, pause);
  const where = { organization_id: scope.organizationId, deleted_at: null };
  const all = await scope.read(pages).pages.find({ where, limit: MAX_REPORT_SUBJECTS + 1 });
  if (all.length > MAX_REPORT_SUBJECTS)
    throw new IllegalState('There are too many pages. Name the page that the report should cover.');
  return readReportIncidents(scope, all, time, pause);
};
