import type { Clock } from '../../network/clock.ts';

/** The phases of a run, in their order. */
export const PHASES = ['lookup', 'connect', 'tls', 'first_byte', 'transfer'] as const;
export type Phase = (typeof PHASES)[number];

/** Whole milliseconds spent in each phase, over all redirects; null if it was never entered. */
export type Timings = Record<Phase, number | null>;

/** Measures how long a run takes and in which phases. */
export interface Stopwatch {
  enter: (phase: Phase) => void;
  /** Ends the last phase; it may be entered again. */
  stop: () => void;
  /** the phase that was entered last */
  readonly phase: Phase | null;
  /** whole milliseconds spent in all phases; time after `stop` belongs to none */
  total: () => number;
  timings: () => Timings;
}

export const createStopwatch = (clock: Pick<Clock, 'monotonic'>): Stopwatch => {
  const spent = new Map<Phase, number>();
  let phase: Phase | null = null;
  let running = false;
  let since = 0;

  const book = (): void => {
    const now = clock.monotonic();
    if (phase && running) spent.set(phase, (spent.get(phase) ?? 0) + now - since);
    since = now;
  };
  return {
    enter: (next) => {
      book();
      phase = next;
      running = true;
      if (!spent.has(next)) spent.set(next, 0);
    },
    stop: () => {
      book();
      running = false;
    },
    get phase() {
      return phase;
    },
    total: () => Math.round([...spent.values()].reduce((sum, time) => sum + time, 0)),
    timings: () =>
      Object.fromEntries(
        PHASES.map((name) => {
          const time = spent.get(name);
          return [name, time === undefined ? null : Math.round(time)];
        }),
      ) as Timings,
  };
};
