import type { Clock } from '../../../../stores/coordination/mongodb/clock.ts';

/** A clock that stands still until a test advances it. */
export interface FakeClock extends Clock {
  /** Advances the clock, and runs due actions in order. */
  advance: (milliseconds: number) => void;
  /** returns the number of scheduled actions */
  waiting: () => number;
}

export const createFakeClock = (): FakeClock => {
  let now = 0;
  const timers = new Set<{ at: number; action: () => void }>();
  return {
    now: () => now,
    after: (milliseconds, action) => {
      const timer = { at: now + milliseconds, action };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance: (milliseconds) => {
      const until = now + milliseconds;
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
        if (!next) break;
        timers.delete(next);
        now = next.at;
        next.action();
      }
      now = until;
    },
    waiting: () => timers.size,
  };
};
