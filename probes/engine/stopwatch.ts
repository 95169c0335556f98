import type { Clock } from '../../network/clock.ts';

/** The phases of a run, in order. */
export const PHASES = ['lookup', 'connect', 'tls', 'first_byte', 'transfer'] as const;
export type Phase = (typeof PHASES)[number];

/** Whole milliseconds in each phase, summed over redirects; null if the run never entered the phase. */
export type Timings = Record<Phase, number | null>;

/** Measures the duration of a run and of its phases. */
export interface Stopwatch {
  enter: (phase: Phase) => void;
  /** Ends the current phase, which may be entered again. */
  stop: () => void;
  /** the most recently entered phase; null before the first phase */
  readonly phase: Phase | null;
  /**
   * Returns the time in all phases together, in whole milliseconds, without pauses between `stop` and the next phase.
   */
  total: () => number;
  timings: () => Timings;
}

export const createStopwatch = (clock: Pick<Clock, 'monotonic'>): Stopwatch => {
  const spent: Timings = { lookup: null, connect: null, tls: null, first_byte: null, transfer: null };
  let phase: Phase | null = null;
  let running = false;
  let since = 0;

  const book = (): void => {
    const now = clock.monotonic();
    if (phase && running) spent[phase] = (spent[phase] ?? 0) + now - since;
    since = now;
  };
  return {
    enter: (next) => {
      book();
      phase = next;
      running = true;
      spent[next] ??= 0;
    },
    stop: () => {
      book();
      running = false;
    },
    get phase() {
      return phase;
    },
    total: () => Math.round(PHASES.reduce((sum, name) => sum + (spent[name] ?? 0), 0)),
    timings: () => ({
      lookup: whole(spent.lookup),
      connect: whole(spent.connect),
      tls: whole(spent.tls),
      first_byte: whole(spent.first_byte),
      transfer: whole(spent.transfer),
    }),
  };
};

const whole = (time: number | null): number | null => (time === null ? null : Math.round(time));
