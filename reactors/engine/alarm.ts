/** By how much a clock may differ from the elapsed time before it counts as set, milliseconds. */
const SET = 1_000;

/** Wakes those who wait for a time by a clock that may be set, with one timer for all of them. */
export interface Alarm {
  /** By how much the clock is ahead of the elapsed time: it stays the same until the clock is set. Milliseconds. */
  offset: () => number;
  /**
   * Calls back once: when the clock shows a time, was set, or some time has passed, whatever the clock shows.
   *
   * @param offset as it was when the clock was read for the wait: a clock that was set since then counts, too
   * @returns cancels it
   */
  wait: (until: Until, offset: number, callback: () => void) => () => void;
}

/** What is waited for; null: not for that. */
export interface Until {
  /** the time that the clock shows, milliseconds since 1970 */
  at: number | null;
  /** the time that passes, milliseconds */
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
 * @param look how often it is looked whether the clock was set while anybody waits, milliseconds
 */
export const createAlarm = (clock: () => number, look: number): Alarm => {
  const waiting = new Set<Waiting>();
  let timer: { at: number; handle: NodeJS.Timeout } | null = null;
  const offset = (): number => clock() - performance.now();

  /** Has the timer ring when the first of them is due, at the latest for the next look at the clock. */
  const set = (at: number): void => {
    if (timer && timer.at <= at) return;
    if (timer) clearTimeout(timer.handle);
    const handle = setTimeout(ring, Math.max(0, at - performance.now()));
    timer = { at, handle };
  };

  const dueIn = ({ at, ends }: Waiting, now: number): number =>
    Math.min(performance.now() + Math.min(Math.max(at - now, 0), look), ends);

  const ring = (): void => {
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
