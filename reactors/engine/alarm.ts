/** A larger difference between clock and elapsed time means that the clock was set, milliseconds. */
const SET = 1_000;

/** Timer for waits until a time on a clock that may be set. One timer serves all waits. */
export interface Alarm {
  /** Clock time minus elapsed time, milliseconds. Constant until the clock is set. */
  offset: () => number;
  /**
   * Calls back once: when the clock reaches a time, when the clock was set, or after an elapsed time, whichever comes
   * first.
   *
   * @param offset the value of `offset()` when the clock was read for this wait, so that a later change of the clock is
   * noticed
   * @returns cancels the wait
   */
  wait: (until: WakeConditions, offset: number, callback: () => void) => () => void;
}

/** The end of a wait; a null field does not end it. */
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
 * @param clock milliseconds since 1970
 * @param look interval of checks whether the clock was set while anything waits, milliseconds
 */
export const createAlarm = (clock: () => number, look: number): Alarm => {
  const waiting = new Set<Waiting>();
  let timer: { at: number; handle: NodeJS.Timeout } | null = null;
  const offset = (): number => clock() - performance.now();

  /** Sets the timer for the first wait, or for the next check of the clock if that is earlier. */
  const set = (at: number): void => {
    if (timer && timer.at <= at) return;
    if (timer) clearTimeout(timer.handle);
    const handle = setTimeout(fire, Math.max(0, at - performance.now()));
    timer = { at, handle };
  };

  const dueIn = ({ at, ends }: Waiting, now: number): number =>
    Math.min(performance.now() + Math.min(Math.max(at - now, 0), look), ends);

  const fire = (): void => {
    timer = null;
    const now = clock();
    const current = offset();
    const elapsed = performance.now();
    for (const one of [...waiting]) {
      if (one.at > now && one.ends > elapsed && Math.abs(current - one.offset) <= SET) continue;
      waiting.delete(one);
      one.callback();
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
