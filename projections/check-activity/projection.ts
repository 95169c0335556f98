import { millisecondsOf, type Instant } from '../../domain/time.ts';
import type { RecordedEventOf } from '../../domain/event-types.ts';
import { resultTime } from '../../domain/check-result/result-time.ts';
import { collection, defineProjection } from '../engine/fold/define.ts';
import { hourNumberOf, lastHourOf, NO_SUMS, sumsSince, withHour, type Sums } from './sums.ts';

/**
 * The newest results of a check. This document is written for each result. To keep it small, it is separate from the
 * check's document, and the sums of earlier hours are in {@link CheckSumsDocument}, which is written once an hour.
 */
export interface CheckActivityDocument {
  /** id of the check */
  id: string;
  organization_id: string;
  /** Time at which the newest result in the log was recorded, even if statistics do not count it. */
  recorded_at: Instant;
  /**
   * Time of the newest run whose result was on time, was for the current definition of the check, and came from a
   * runner that was not cut off.
   */
  last_checked_at: Instant | null;
  /** Due time of the run at `last_checked_at`. */
  slot: Instant | null;
  /** Response time of the run at `last_checked_at`, in whole milliseconds. */
  response_time: number | null;
  /** Ids of the newest results in log order, newest first, to detect duplicates. */
  results: readonly string[];
  /** Hour of the newest result that statistics count, in hours since 1970. Null if there was no such result. */
  hour: number | null;
  /** Position of the result with which the current hour began. */
  hour_entered: number;
  /** Sums of the results in the current hour that are not in {@link CheckSumsDocument} yet (see `HourSums`). */
  hour_results: number;
  hour_bad: number;
  hour_timed: number;
  hour_time: number;
}

/** Sums of a check's results by hour and day. Results that {@link CheckActivityDocument} contains are not included. */
export interface CheckSumsDocument extends Sums {
  /** id of the check */
  id: string;
  /** Start of the newest hour in the sums. */
  last_hour: Instant;
  /**
   * `hour_entered` of the hour whose beginning caused the newest change of this document. A reader might have read the
   * {@link CheckActivityDocument} before this change. In this case, that document has a lower `hour_entered`, and the
   * sums of its current hour are already included here.
   */
  hour_entered: number;
}

/**
 * Number of result ids in a document. This is enough for the results of all regions during the time in which a result
 * can be repeated.
 */
const REMEMBERED = 32;

/** Maximum time, in milliseconds, by which results of different workers can be out of order in the log. */
const OUT_OF_ORDER_MS = 60_000;

type Result = RecordedEventOf<'CheckRunCompleted'>;
type Newest = Pick<CheckActivityDocument, 'last_checked_at' | 'slot' | 'response_time'>;
type CurrentHour = Pick<
  CheckActivityDocument,
  'hour' | 'hour_entered' | 'hour_results' | 'hour_bad' | 'hour_timed' | 'hour_time'
>;

const NO_RESULT: Newest = { last_checked_at: null, slot: null, response_time: null };
const NO_HOUR: CurrentHour = {
  hour: null,
  hour_entered: 0,
  hour_results: 0,
  hour_bad: 0,
  hour_timed: 0,
  hour_time: 0,
};

/**
 * Tests whether a run took place before the newest run. If the newest run was due long after this run was recorded, the
 * newest run came from a clock that was ahead, and is ignored.
 */
const isOlder = (at: Instant, { last_checked_at, slot }: Newest): boolean =>
  last_checked_at !== null &&
  slot !== null &&
  at < last_checked_at &&
  millisecondsOf(slot) - millisecondsOf(at) <= OUT_OF_ORDER_MS;

const newestAfter = (event: Result, known: Newest): Newest => {
  const { late, outdated, suspect, slot, response_time } = event.data;
  const at = resultTime(event);
  if (late === true || outdated === true || suspect === true || isOlder(at, known)) return known;
  return { last_checked_at: at, slot, response_time };
};

/**
 * Tests whether statistics count a result. As in `check_results` (projections/check-results/projection.ts), all results
 * count except suspect ones.
 */
const countsInFigures = ({ data }: Result): boolean => data.suspect !== true;

const hourAfter = (event: Result, known: CurrentHour): CurrentHour => {
  if (!countsInFigures(event)) return known;
  const { data, position } = event;
  const hour = hourNumberOf(resultTime(event));
  const isSame = known.hour === hour;
  const { hour_results, hour_bad, hour_timed, hour_time } = isSame ? known : NO_HOUR;
  return {
    hour,
    hour_entered: isSame ? known.hour_entered : Number(position),
    hour_results: hour_results + 1,
    hour_bad: hour_bad + (data.status === 'ok' ? 0 : 1),
    hour_timed: hour_timed + (data.response_time === null ? 0 : 1),
    hour_time: hour_time + (data.response_time ?? 0),
  };
};

const NOTHING = {};

/** Tests whether a result is in a different hour than the previous result. */
const beginsHour = (event: Result, known: CheckActivityDocument | undefined): boolean =>
  known !== undefined &&
  known.hour !== null &&
  countsInFigures(event) &&
  known.hour !== hourNumberOf(resultTime(event));

export const checkActivity = defineProjection({
  name: 'check_activity',
  version: 5,
  log: 'results',
  collections: {
    check_activity: collection<CheckActivityDocument>({ indexes: [], expires: { field: 'recorded_at' } }),
    check_sums: collection<CheckSumsDocument>({ indexes: [], expires: { field: 'last_hour' } }),
  },
  documents: (event) => (event.data.check_id === undefined ? {} : { check_activity: [event.data.check_id] }),
  further: {
    CheckRunCompleted: (event, { check_activity }) => {
      const { check_id } = event.data;
      if (check_id === undefined || !beginsHour(event, check_activity.get(check_id))) return NOTHING;
      return { check_sums: [check_id] };
    },
  },
  retained: {
    check_activity: (document, from) => ({
      ...document,
      ...(document.last_checked_at !== null && document.last_checked_at < from && NO_RESULT),
      ...(document.hour !== null && document.hour < hourNumberOf(from) && NO_HOUR),
    }),
    check_sums: (document, from) => ({ ...document, ...sumsSince(document, from) }),
  },
  on: {
    CheckRunCompleted: (event, { check_activity, check_sums }) => {
      const { check_id: id, organization_id, result_id } = event.data;
      if (id === undefined) return;
      const known = check_activity.get(id);
      if (known?.results.includes(result_id)) return;
      const { recorded_at } = event.metadata;
      if (known && known.hour !== null && beginsHour(event, known)) {
        const { hour, hour_results: results, hour_bad: bad, hour_timed: timed, hour_time: time } = known;
        const sums = withHour(check_sums.get(id) ?? NO_SUMS, { hour, results, bad, timed, time });
        check_sums.put({ id, ...sums, last_hour: lastHourOf(sums), hour_entered: Number(event.position) });
      }
      const newest = newestAfter(event, known ?? NO_RESULT);
      const current = hourAfter(event, known ?? NO_HOUR);
      // Fields are listed one by one, because spreads take several times as long, and this runs for each result.
      check_activity.put({
        id,
        organization_id,
        recorded_at,
        last_checked_at: newest.last_checked_at,
        slot: newest.slot,
        response_time: newest.response_time,
        results: [result_id, ...(known?.results ?? [])].slice(0, REMEMBERED),
        hour: current.hour,
        hour_entered: current.hour_entered,
        hour_results: current.hour_results,
        hour_bad: current.hour_bad,
        hour_timed: current.hour_timed,
        hour_time: current.hour_time,
      });
    },
  },
});
