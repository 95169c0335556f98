import { severityOf, type ComponentStatus } from '../page/component-status.ts';
import { walkIntervals, type Interval } from './intervals.ts';
import type { Phase } from './timeline.ts';

/** The measurement of a component in one part of a period, such as a day; lengths in milliseconds. */
export interface TimelinePart {
  /** Measured time. It excludes maintenance, the future, and the time before the component existed. */
  total: number;
  major: number;
  partial: number;
  degraded: number;
  /** time under maintenance, which is not measured */
  leftOut: number;
  /** the worst status in this part */
  worst: ComponentStatus;
}

const createPart = (): TimelinePart => ({
  total: 0,
  major: 0,
  partial: 0,
  degraded: 0,
  leftOut: 0,
  worst: 'operational',
});

/**
 * Measures a component in successive parts of a period. The function is a generator, so that the caller can let other
 * work run between the steps.
 *
 * @param starts the start of each part, ascending, in milliseconds since 1970; a part ends at the start of the next
 * part, and the final part ends at `to`
 * @param from when the component starts to exist, in milliseconds since 1970
 * @param to the end of the final part or the current time, whichever is earlier; in milliseconds since 1970
 * @param note receives the intervals that are summed
 */
export function* partsIn(
  phases: Iterable<Phase>,
  starts: readonly number[],
  from: number,
  to: number,
  note?: (interval: Interval) => void,
): Generator<undefined, TimelinePart[]> {
  const parts = starts.map(createPart);
  const endOf = (index: number): number => Math.min(starts[index + 1] ?? to, to);
  let first = 0;
  yield* walkIntervals(phases, Math.max(from, starts[0] ?? to), to, (interval) => {
    note?.(interval);
    while (first < parts.length && endOf(first) <= interval.from) first += 1;
    for (let index = first; index < parts.length; index++) {
      const part = parts[index];
      const start = starts[index] ?? interval.from;
      if (!part || start >= interval.to) break;
      const length = Math.min(interval.to, endOf(index)) - Math.max(interval.from, start);
      // A day that the time zone skips has no length, and later days follow.
      if (length > 0) count(part, length, interval);
    }
  });
  return parts;
}

const count = (part: TimelinePart, length: number, { status, left_out }: Interval): void => {
  if (left_out !== null) {
    part.leftOut += length;
    if (severityOf(part.worst) < severityOf('under_maintenance')) part.worst = 'under_maintenance';
    return;
  }
  part.total += length;
  if (severityOf(status) > severityOf(part.worst)) part.worst = status;
  if (status === 'major_outage') part.major += length;
  if (status === 'partial_outage') part.partial += length;
  if (status === 'degraded_performance') part.degraded += length;
};
