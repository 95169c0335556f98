import type { ByDay, ReportContent } from '../../domain/report/content.ts';

/** Converts daily figures from one list per figure to one object per day. */
const daysOf = (days: readonly string[], { uptime, total, average, p95 }: Partial<ByDay>) =>
  days.map((day, index) => ({
    day,
    uptime_percentage: uptime?.[index] ?? null,
    ...(total && { total_checks: total[index] ?? 0 }),
    ...(average && { average_response_time: average[index] ?? null }),
    ...(p95 && { p95: p95[index] ?? null }),
  }));

/**
 * Returns a report as JSON (docs/reference/reports.md#json-file). Times are in UTC as in the API, days in `time_zone`,
 * durations in seconds, and response times in milliseconds.
 */
export const reportJson = (content: ReportContent): string => {
  const { days, by_day, checks, components, outages, incidents, ...head } = content;
  const report = {
    ...head,
    days: daysOf(days, by_day),
    checks: checks.map(({ by_day, ...check }) => ({ ...check, days: daysOf(days, by_day) })),
    components: components.map(({ by_day, ...component }) => ({ ...component, days: daysOf(days, by_day) })),
    outages,
    incidents,
  };
  return `${JSON.stringify(report, null, 2)}\n`;
};
