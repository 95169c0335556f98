import type { ComponentStatus } from '../page/component-status.ts';
import { millisecondsOf } from '../time.ts';
import type { MergedStep } from './merged-lanes.ts';
import type { LeftOut, Phase } from './timeline.ts';

/** A part of a period in which one phase applies, in milliseconds since 1970. */
export interface Interval {
  from: number;
  /** exclusive */
  to: number;
  status: ComponentStatus;
  /** the step that set the status; null if no step set a status, so that the component is operational */
  set_by: MergedStep | null;
  /** why the interval is excluded; null if it is measured */
  left_out: LeftOut | null;
}

/** Number of phases per step of the generator. A step takes about a millisecond. */
const PHASES_A_STEP = 500;

/**
 * Passes the intervals of a period to `take`, in their order and without gaps. Every figure of uptime is a sum over
 * these intervals. The function is a generator, so that the caller can let other work run between the steps.
 *
 * @param from start of the period, in milliseconds since 1970
 * @param to end of the period. There are no intervals unless `to` is after `from`
 */
export function* walkIntervals(
  phases: Iterable<Phase>,
  from: number,
  to: number,
  take: (interval: Interval) => void,
): Generator<undefined, void> {
  const add = (start: number, end: number, phase: Phase | undefined): void => {
    const [begin, stop] = [Math.max(start, from), Math.min(end, to)];
    if (begin >= stop) return;
    const { status = 'operational', set_by = null, left_out = null } = phase ?? {};
    take({ from: begin, to: stop, status, set_by, left_out });
  };
  let start = Number.NEGATIVE_INFINITY;
  let phase: Phase | undefined;
  let count = 0;
  for (const next of phases) {
    const end = millisecondsOf(next.from);
    add(start, end, phase);
    start = end;
    phase = next;
    count += 1;
    if (count % PHASES_A_STEP === 0) yield undefined;
  }
  add(start, Number.POSITIVE_INFINITY, phase);
}

/** The measurement of a period. All durations are in milliseconds. */
export interface MeasuredTime {
  /** measured time, which excludes maintenance */
  total: number;
  major: number;
  partial: number;
}

/**
 * Measures the time from `from` (inclusive) to `to` (exclusive), in milliseconds since 1970. Every result is zero if
 * `to` is not after `from`.
 */
export const measureTimeline = (phases: readonly Phase[], from: number, to: number): MeasuredTime => {
  const measuring = measureSteps(phases, from, to);
  for (;;) {
    const step = measuring.next();
    if (step.done) return step.value;
  }
};

/**
 * Measures a period like {@link measureTimeline}. The function is a generator, so that the caller can let other work
 * run between the steps.
 *
 * @param note receives the intervals that are summed
 */
export function* measureSteps(
  phases: Iterable<Phase>,
  from: number,
  to: number,
  note?: (interval: Interval) => void,
): Generator<undefined, MeasuredTime> {
  const measured = { total: 0, major: 0, partial: 0 };
  yield* walkIntervals(phases, from, to, (interval) => {
    note?.(interval);
    if (interval.left_out !== null) return;
    const length = interval.to - interval.from;
    measured.total += length;
    if (interval.status === 'major_outage') measured.major += length;
    if (interval.status === 'partial_outage') measured.partial += length;
  });
  return measured;
}
