import type { Clock } from '../../network/clock.ts';

export interface FakeClock extends Clock {
  /** Lets time pass: what falls due is called back in order, and what follows from it is waited for. */
  advance: (milliseconds: number) => Promise<void>;
  /** Sets the wall clock, without time passing. */
  set: (now: number) => void;
  /** how many callbacks are waited for */
  pending: () => number;
}

interface Timer {
  at: number;
  callback: () => void;
}

/** Everything that is ready to run has run, subscriptions of logs in memory included. */
export const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** A clock that advances only on demand. */
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
