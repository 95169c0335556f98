import type { Instant } from '../../domain/time.ts';
import type { CheckDocument } from '../../projections/checks/documents.ts';
import type { Scope } from '../engine/scope.ts';
import { DAY, earlier, later } from './filters.ts';
import { summarizeUptime, type UptimeHour, type UptimeSummary } from './statistics.ts';
import { readHourlyCounts } from './hourly-counts.ts';

export interface Uptime {
  /** Start of the period, or start of the retention period of results if that is later. */
  start_time: Instant;
  end_time: Instant;
  uptime_summary: UptimeSummary;
  /** Hours with results, in order. */
  uptime_data: UptimeHour[];
}

/** The period for which the uptime is computed. `to` is now by default, and `from` is 24 hours before `to`. */
export interface UptimePeriod {
  from?: Instant | undefined;
  to?: Instant | undefined;
}

/** Computes which share of a check's runs was ok, by hour (docs/reference/results.md#uptime-of-a-check). */
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
