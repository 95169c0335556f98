import type { Instant } from '../../domain/time.ts';
import { timeSlices } from '../../domain/concurrency/time-slices.ts';
import {
  checkActivity,
  type CheckActivityDocument,
  type CheckSumsDocument,
} from '../../projections/check-activity/projection.ts';
import {
  dayNumberOf,
  eachDay,
  eachHour,
  hourNumberOf,
  NO_SUMS,
  type Sums,
} from '../../projections/check-activity/sums.ts';
import { percentageOf } from '../check-results/statistics.ts';
import type { Scope } from '../engine/scope.ts';

/** Number of shown hours, including the current hour. */
export const HOURS_SHOWN = 24;
/** Number of UTC days of the shown uptime, including the current day. */
const DAYS_SHOWN = 30;

/** The statistics of a check's results in the overview (docs/reference/checks.md#overview). */
export interface OverviewStatistics {
  /** Response time of the newest result, in whole milliseconds. Null if there is no result or no response time. */
  response_time: number | null;
  /**
   * Mean response time of each hour in milliseconds, oldest first. Null for an hour without response times. Rounded to
   * two significant digits: the console draws a line of a few pixels, and more digits would enlarge the response by a
   * fifth.
   */
  hours: readonly (number | null)[];
  /** Indexes in `hours` of hours with a result that was not ok. */
  failed_hours: readonly number[];
  /** Uptime over the period of `hours`, from 0 to 100 with two decimals. Null if there is no result. */
  uptime_24h: number | null;
  /** Uptime over 30 UTC days, including today. Null if there is no result. */
  uptime_30d: number | null;
}

/** The period of statistics, in hours and days since 1970. */
interface Window {
  firstHour: number;
  lastHour: number;
  firstDay: number;
  lastDay: number;
  /** First hour of the retention period of results. */
  keptHour: number;
}

type Current = Pick<
  CheckActivityDocument,
  'id' | 'response_time' | 'hour' | 'hour_entered' | 'hour_results' | 'hour_bad' | 'hour_timed' | 'hour_time'
>;

type PastSums = Sums & Pick<CheckSumsDocument, 'hour_entered'>;
const NO_PAST: PastSums = { ...NO_SUMS, hour_entered: 0 };

const CURRENT = [
  'id',
  'response_time',
  'hour',
  'hour_entered',
  'hour_results',
  'hour_bad',
  'hour_timed',
  'hour_time',
] as const satisfies readonly (keyof Current)[];

/** Number of checks that are read with one query per collection. */
const AT_ONCE = 5_000;
/** Up to this many checks are read by id. For more checks, it is faster to read whole collections. */
const FEW = 20;

const windowAt = ({ now, resultsFrom }: Pick<Scope, 'now' | 'resultsFrom'>): Window => {
  const lastHour = hourNumberOf(now);
  const lastDay = dayNumberOf(lastHour);
  const firstDay = lastDay - DAYS_SHOWN + 1;
  return { firstHour: lastHour - HOURS_SHOWN + 1, lastHour, firstDay, lastDay, keptHour: hourNumberOf(resultsFrom()) };
};

/** Returns the first hour of `hours`, in hours since 1970. */
export const firstHourAt = (now: Instant): number => hourNumberOf(now) - HOURS_SHOWN + 1;

/** Rounds a duration to whole milliseconds with two significant digits. */
export const roundToTwoDigits = (milliseconds: number): number => {
  const whole = Math.round(milliseconds);
  let step = 1;
  while (whole >= 100 * step) step *= 10;
  return Math.round(whole / step) * step;
};

/** Counts results, and results that are not ok. */
class Count {
  results = 0;
  bad = 0;

  add(results: number, bad: number): void {
    this.results += results;
    this.bad += bad;
  }

  get uptime(): number | null {
    return percentageOf(this.results - this.bad, this.results);
  }
}

/**
 * Computes the statistics of one check. The uptimes equal those that `GET /v1/checks/{check_id}/uptime` returns for a
 * period that begins at the same hour or day and ends now.
 */
const figuresFrom = (current: Current | undefined, sums: PastSums, window: Window): OverviewStatistics => {
  const { firstHour, lastHour, firstDay, lastDay, keptHour } = window;
  const timed = new Array<number>(HOURS_SHOWN).fill(0);
  const time = new Array<number>(HOURS_SHOWN).fill(0);
  const isBad = new Array<boolean>(HOURS_SHOWN).fill(false);
  const [hours, days] = [new Count(), new Count()];
  const addHour = (hour: number, results: number, bad: number, timedResults: number, sum: number): void => {
    if (hour > lastHour || hour < keptHour) return;
    if (dayNumberOf(hour) === lastDay) days.add(results, bad);
    const place = hour - firstHour;
    if (place < 0) return;
    hours.add(results, bad);
    timed[place] = (timed[place] ?? 0) + timedResults;
    time[place] = (time[place] ?? 0) + sum;
    isBad[place] ||= bad > 0;
  };
  eachHour(sums, addHour);
  eachDay(sums, (day, results, bad) => {
    if (day >= firstDay && day < lastDay && day >= dayNumberOf(keptHour)) days.add(results, bad);
  });
  if (current?.hour != null && current.hour_entered >= sums.hour_entered) {
    const { hour, hour_results, hour_bad } = current;
    addHour(hour, hour_results, hour_bad, current.hour_timed, current.hour_time);
    const day = dayNumberOf(hour);
    if (day >= firstDay && day < lastDay && hour >= keptHour) days.add(hour_results, hour_bad);
  }
  return {
    response_time: current?.response_time ?? null,
    hours: timed.map((count, place) => (count === 0 ? null : roundToTwoDigits((time[place] ?? 0) / count))),
    failed_hours: isBad.flatMap((bad, place) => (bad ? [place] : [])),
    uptime_24h: hours.uptime,
    uptime_30d: days.uptime,
  };
};

/** The statistics of a check without results. */
export const NO_STATISTICS: OverviewStatistics = figuresFrom(undefined, NO_PAST, {
  firstHour: 0,
  lastHour: HOURS_SHOWN - 1,
  firstDay: 0,
  lastDay: 0,
  keptHour: 0,
});

/**
 * Reads the current hours first, and then the sums of earlier hours. An hour that ends between the two reads appears in
 * both results, and `hour_entered` reveals the duplicate. If the sums were read first, such an hour would be missing
 * from both results.
 */
const documentsOf = async (
  { read }: Pick<Scope, 'read'>,
  ids: readonly string[],
): Promise<{ current: Current[]; past: CheckSumsDocument[] }> => {
  const { check_activity, check_sums } = read(checkActivity);
  if (ids.length <= FEW) {
    const current = await check_activity.getMany(ids);
    return { current, past: await check_sums.getMany(ids) };
  }
  const where = { id: { $in: ids } };
  const current = await check_activity.pick(CURRENT, { where });
  return { current, past: await check_sums.find({ where }) };
};

/**
 * Reads the statistics of checks, by id. Omits checks without results.
 *
 * @param signal aborted when the caller does not wait any more
 * @throws the reason of the signal if it is aborted
 */
export const readOverviewStatistics = async (
  scope: Pick<Scope, 'read' | 'now' | 'resultsFrom'>,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, OverviewStatistics>> => {
  const window = windowAt(scope);
  const figures = new Map<string, OverviewStatistics>();
  const pause = timeSlices(signal);
  for (let first = 0; first < ids.length; first += AT_ONCE) {
    const { current, past } = await documentsOf(scope, ids.slice(first, first + AT_ONCE));
    const sums = new Map(past.map((document) => [document.id, document]));
    for (const one of current) {
      figures.set(one.id, figuresFrom(one, sums.get(one.id) ?? NO_PAST, window));
      if (figures.size % 100 === 0) await pause();
    }
  }
  return figures;
};
