import type { Clock } from '../../network/clock.ts';

export interface FakeClock extends Clock {
  /**
   * Advances the clock. Calls the callbacks that become due in order, and after each call waits for the returned
   * promise.
   */
  advance: (milliseconds: number) => Promise<void>;
  /** Sets the wall clock. Does not affect the monotonic clock and timers. */
  set: (now: number) => void;
  /** returns the number of callbacks that are not due yet */
  pending: () => number;
}

interface Timer {
  at: number;
  callback: () => void;
}

/** Waits until all pending promises and immediates have run, including those of subscriptions to in-memory logs. */
export const settled = async (): Promise<void> => {
  for (let iteration = 0; iteration < 5; iteration++) await new Promise((resolve) => setImmediate(resolve));
};

/** Returns a clock that advances only on demand. @param start the initial time in milliseconds since 1970 */
export const fakeClock = (start: number): FakeClock => {
  let elapsed = 0;
  let offset = start;
  const timers = new Set<Timer>();

  const nextUntil = (end: number): Timer | undefined =>
    [...timers].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];

  return {
    now: () => offset + elapsed,
    monotonic: () => elapsed,
    after: (milliseconds, callback) => {
      const timer = { at: elapsed + Math.max(0, milliseconds), callback };
      timers.add(timer);
      return () => {
        timers.delete(timer);
      };
    },
    advance: async (milliseconds) => {
      const end = elapsed + milliseconds;
      for (let timer = nextUntil(end); timer; timer = nextUntil(end)) {
        timers.delete(timer);
        elapsed = Math.max(elapsed, timer.at);
        timer.callback();
        await settled();
      }
      elapsed = end;
    },
    set: (now) => {
      offset = now - elapsed;
    },
    pending: () => timers.size,
  };
};
