import type { ComponentStatus } from '../page/component-status.ts';
import type { Calendar } from './days.ts';
import type { ExclusionRule } from './exclusion-rules.ts';
import type { Interval } from './intervals.ts';
import type { MergedStep } from './merged-lanes.ts';
import { EARLIEST } from './range.ts';
import { startOfExistence, type ComponentExistence, type TimeSpan } from './statistics.ts';

/** An interval that a figure includes or excludes. The times are in milliseconds since 1970. */
export interface ExplainedInterval {
  from: number;
  /** exclusive */
  to: number;
  /** null outside the time that can be measured */
  status: ComponentStatus | null;
  /** the step that set the status; null if no step set a status */
  set_by: MergedStep | null;
  /** why the interval is excluded; null if it is measured */
  excluded: { rule: ExclusionRule; by: MergedStep | null } | null;
}

/** Collects the intervals of a component. Adjacent intervals with the same status and the same reasons are joined. */
export interface IntervalList {
  /** Adds an interval. It must begin at the end of the previously added interval. */
  add: (interval: ExplainedInterval) => void;
  /** Returns the newest intervals, in the order of time. */
  newest: () => ExplainedInterval[];
  /** Lowers the maximum number of intervals. */
  limitTo: (most: number) => void;
  /** whether older intervals were dropped, because there were too many */
  readonly isTruncated: boolean;
}

/** @param mostAtFirst maximum number of intervals; if more are added, only the newest are returned */
export const createIntervalList = (mostAtFirst: number): IntervalList => {
  let most = mostAtFirst;
  const list: ExplainedInterval[] = [];
  let isTruncated = false;
  const dropOldest = (): void => {
    if (list.length <= most) return;
    isTruncated = true;
    list.splice(0, list.length - most);
  };
  return {
    add: (interval) => {
      const last = list.at(-1);
      if (last?.to === interval.from && isAlike(last, interval)) last.to = interval.to;
      else list.push({ ...interval });
      // Removing elements from the start of an array moves all others, so the oldest intervals are removed in batches.
      if (list.length > 2 * most + 1) dropOldest();
    },
    newest: () => {
      dropOldest();
      return list;
    },
    limitTo: (fewer) => {
      most = Math.min(most, fewer);
      dropOldest();
    },
    get isTruncated() {
      return isTruncated || list.length > most;
    },
  };
};

const isAlike = (one: ExplainedInterval, other: ExplainedInterval): boolean =>
  one.status === other.status &&
  one.set_by?.step === other.set_by?.step &&
  one.excluded?.rule === other.excluded?.rule &&
  one.excluded?.by?.step === other.excluded?.by?.step;

/** Returns an interval of the measured time with its explanation. */
export const explained = ({ from, to, status, set_by, left_out: excluded }: Interval): ExplainedInterval => ({
  from,
  to,
  status,
  set_by,
  excluded,
});

/** The parts of a range before and after the time that can be measured. */
export interface Unmeasured {
  before: ExplainedInterval[];
  after: ExplainedInterval[];
}

/**
 * Returns the parts of a range that cannot be measured: before the component existed, and in the future. Together with
 * the measured intervals, these parts cover the whole range.
 *
 * @param range the whole range
 * @param measuredTo end of the time that can be measured: the end of the range, or now
 */
export const unmeasuredIn = (
  { from, to }: TimeSpan,
  measuredTo: number,
  component: ComponentExistence,
  calendar: Calendar,
): Unmeasured => {
  let at = from;
  const until = (end: number, rule: ExclusionRule): ExplainedInterval[] => {
    const begin = at;
    at = Math.max(at, Math.min(end, to));
    return at > begin ? [{ from: begin, to: at, status: null, set_by: null, excluded: { rule, by: null } }] : [];
  };
  const before = [
    ...until(calendar.startOf(EARLIEST), 'before_1970'),
    ...until(
      startOfExistence(component, calendar),
      component.start_date === null ? 'before_creation' : 'before_start_date',
    ),
  ];
  at = Math.max(at, Math.min(measuredTo, to));
  return { before, after: until(to, 'future') };
};
