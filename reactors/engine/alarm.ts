/** If the offset between clock and elapsed time changes by more than this, the clock was set. In milliseconds. */
const SET = 1_000;

/** Waits for times of a clock that can be set at any moment. All waits share one timer. */
export interface Alarm {
  /** Clock time minus elapsed time, milliseconds. Constant until the clock is set. */
  offset: () => number;
  /**
   * Waits until the clock reaches `until.at`, or `until.elapsed` has passed, or the clock was set, and then calls back
   * one time. If several waits end together, the one with the earliest `at` is called back first.
   *
   * @param offset the value of `offset()` when the clock was read to compute `until.at`. A different value now means
   * that the clock was set in between
   * @returns a function that cancels the wait
   */
  wait: (until: WakeConditions, offset: number, callback: () => void) => () => void;
}

/** Conditions that end a wait. A null field is no condition. */
export interface WakeConditions {
  /** clock time, milliseconds since 1970 */
  at: number | null;
  /** elapsed time, milliseconds */
  elapsed: number | null;
}

interface Waiting {
  at: number;
  /** milliseconds of `performance.now()` */
  ends: number;
  offset: number;
  callback: () => void;
}

/**
 * Creates an alarm.
 *
 * @param clock returns milliseconds since 1970
 * @param checkInterval interval at which the alarm tests whether the clock was set, in milliseconds. It tests only
 * while there are waits
 */
export const createAlarm = (clock: () => number, checkInterval: number): Alarm => {
  const waiting = new Set<Waiting>();
  let timer: { at: number; handle: NodeJS.Timeout } | null = null;
  const offset = (): number => clock() - performance.now();

  /** Sets the timer to a time of `performance.now()`, unless it is already set to an earlier one. */
  const set = (at: number): void => {
    if (timer && timer.at <= at) return;
    if (timer) clearTimeout(timer.handle);
    const handle = setTimeout(fire, Math.max(0, at - performance.now()));
    timer = { at, handle };
  };

  const dueIn = ({ at, ends }: Waiting, now: number): number =>
    Math.min(performance.now() + Math.min(Math.max(at - now, 0), checkInterval), ends);

  const fire = (): void => {
    timer = null;
    const now = clock();
    const current = offset();
    const elapsed = performance.now();
    const isDue = ({ at, ends, offset: from }: Waiting): boolean =>
      at <= now || ends <= elapsed || Math.abs(current - from) > SET;
    for (const one of [...waiting].filter(isDue).sort((one, other) => one.at - other.at)) {
      // An earlier callback can have cancelled this wait.
      if (waiting.delete(one)) one.callback();
    }
    let first = Infinity;
    for (const one of waiting) first = Math.min(first, dueIn(one, now));
    if (first < Infinity) set(first);
  };

  return {
    offset,
    wait: ({ at, elapsed }, from, callback) => {
      const ends = performance.now() + (elapsed ?? Infinity);
      const one = { at: at ?? Infinity, ends, offset: from, callback };
      waiting.add(one);
      set(Math.abs(offset() - from) > SET ? performance.now() : dueIn(one, clock()));
      return () => {
        waiting.delete(one);
        if (waiting.size > 0 || !timer) return;
        clearTimeout(timer.handle);
        timer = null;
      };
    },
  };
};
