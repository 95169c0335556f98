import type { Instant } from '../../domain/time.ts';
import type { CheckDocument } from '../../projections/checks/documents.ts';
import type { Scope } from '../engine/scope.ts';
import { DAY, earlier, later } from './filters.ts';
import { summarizeUptime, type UptimeHour, type UptimeSummary } from './statistics.ts';
import { readHourlyCounts } from './hourly-counts.ts';

export interface Uptime {
  /** never before the first instant of the retained results */
  start_time: Instant;
  end_time: Instant;
  uptime_summary: UptimeSummary;
  /** each hour that has a result, in order */
  uptime_data: UptimeHour[];
}

/** The period of the uptime; `from` defaults to 24 hours before `to`, `to` to now. */
export interface UptimePeriod {
  from?: Instant | undefined;
  to?: Instant | undefined;
}

/** The share of a check's runs in a period that were ok, by hour (docs/reference/results.md#uptime-of-a-check). */
export const readUptime = async (
  scope: Pick<Scope, 'read' | 'now' | 'resultsFrom'>,
  check: CheckDocument,
  time: UptimePeriod,
): Promise<Uptime> => {
  const to = time.to ?? scope.now;
  const from = later(time.from ?? earlier(to, DAY), scope.resultsFrom());
  return {
    start_time: from,
    end_time: to,
    ...summarizeUptime(await readHourlyCounts(scope, { check_id: check.id, from, to })),
  };
};
