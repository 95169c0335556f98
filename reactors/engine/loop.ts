import { setTimeout as sleep } from 'node:timers/promises';
import type { Coordination, Lease } from '../../stores/coordination/port.ts';
import { createBell, type Bell } from './bell.ts';
import { haltedBecause, recall, remember, type ReactorMemory } from './checkpoint.ts';

/** What is to be done, as a projection keeps it. Positions are those of the projection's log. */
export interface TodoProjection {
  /** position that the projection has folded; null while it is not at the head of its log */
  position: () => number | null;
  /**
   * Up to here the list surely shows what every event has changed, even where its documents are written one after
   * another or nobody folds at present; 0 while that is not known.
   */
  folded: () => number;
  /** Calls back whenever the projection has moved. @returns ends that */
  watch: (moved: () => void) => () => void;
}

/** One way of working a to-do list: `dueWork`, `changeWork`. */
export interface Work {
  /** Starts from what is remembered. */
  begin: (memory: ReactorMemory) => void;
  /**
   * Does what is to be done now. An item that fails is left for later and does not stop the rest.
   *
   * @param now milliseconds since 1970
   */
  round: (now: number, log: ReactorLog, signal: AbortSignal) => Promise<Round>;
}

export interface Round {
  /** when to look again even if the list has not changed, milliseconds since 1970; null: only then */
  next: number | null;
  /** changes up to this position are done */
  handled: number;
}

export interface Reactor {
  name: string;
  /** whether what was on the list before the reactor was first active is to be done */
  countsEarlier: boolean;
  todo: TodoProjection;
  work: Work;
}

/** @param error of what is tried again and can fail many times */
export type ReactorLog = (
  level: 'info' | 'warn' | 'error',
  message: string,
  fields: Record<string, string | number>,
  error?: unknown,
) => void;

export interface ReactorOptions {
  coordination: Pick<Coordination, 'acquire' | 'read' | 'write'>;
  /** milliseconds since 1970 */
  clock: () => number;
  log: ReactorLog;
  /** stops the reactor; what it is doing is finished */
  signal: AbortSignal;
  /** waits, milliseconds; other ones than {@link REACTOR_TIMINGS} are for tests */
  timings?: Partial<typeof REACTOR_TIMINGS>;
}

/** All in milliseconds. */
export const REACTOR_TIMINGS = {
  /** first pause after a store failed; each further one is twice as long, at most 2 s */
  retry: 500,
  /** how often a halted reactor looks whether it was resumed */
  halted: 1_000,
  /** how often it is looked whether the clock was set, while there is nothing to do */
  look: 10_000,
  /** between two rounds at least, since a busy log wakes the reactor with every batch */
  spacing: 20,
};

const LONGEST_RETRY = 2_000;
const LONGEST_WAIT = 3_600_000;

/**
 * Works a to-do list for as long as it holds the reactor's lease: one instance of each is active.
 *
 * @returns resolves when the signal has aborted and what was being done is finished
 */
export const runReactor = async (reactor: Reactor, options: ReactorOptions): Promise<void> => {
  const { coordination, log, signal } = options;
  const timings = { ...REACTOR_TIMINGS, ...options.timings };
  let failures = 0;
  while (!signal.aborted) {
    try {
      const lease = await coordination.acquire(`reactor:${reactor.name}`, signal);
      const succeeded = (): void => {
        failures = 0;
      };
      await workUnder(lease, reactor, { ...options, timings }, succeeded).finally(() => lease.release());
    } catch (error) {
      if (isAborted(signal)) return;
      const message = error instanceof Error ? error.message : String(error);
      log('error', `The reactor ${reactor.name} can't work at present.`, { error: message }, error);
      const pause = Math.min(timings.retry * 2 ** failures++, LONGEST_RETRY);
      await sleep(pause, undefined, { signal }).catch(() => undefined);
    }
  }
};

/** Resolves when the lease is lost or the signal aborts. */
const workUnder = async (
  lease: Lease,
  reactor: Reactor,
  options: ReactorOptions & { timings: typeof REACTOR_TIMINGS },
  succeeded: () => void,
): Promise<void> => {
  const { halted, spacing } = options.timings;
  const signal = AbortSignal.any([options.signal, lease.lost]);
  const bell = createBell(signal);
  const unwatch = reactor.todo.watch(bell.ring);
  const turn = createTurn(reactor, options, halted, signal);
  try {
    while (!signal.aborted) {
      const wait = await turn();
      succeeded();
      await sleep(spacing, undefined, { signal }).catch(() => undefined);
      await heardOrSet(bell, wait, options, signal);
    }
  } finally {
    unwatch();
  }
};

/** By how much a clock may differ from the time that has passed before it counts as set, milliseconds. */
const SET = 1_000;

/** Waits for the bell, at most so long; a clock that is set in between makes it look sooner. */
const heardOrSet = async (
  bell: Bell,
  milliseconds: number,
  { clock, timings: { look } }: Pick<ReactorOptions, 'clock'> & { timings: typeof REACTOR_TIMINGS },
  signal: AbortSignal,
): Promise<void> => {
  const begun = performance.now();
  const offset = clock() - begun;
  for (let left = milliseconds; left > 0 && !signal.aborted; left = milliseconds - (performance.now() - begun)) {
    if (await bell.heard(Math.min(left, look))) return;
    if (Math.abs(clock() - performance.now() - offset) > SET) return;
  }
};

/** Asked again after an `await`, which the compiler does not take into account. */
const isAborted = (signal: AbortSignal): boolean => signal.aborted;

/** One look at the list. Its answer is how long there is nothing to do, in milliseconds. */
const createTurn = (
  { name, countsEarlier, todo, work }: Reactor,
  { coordination, clock, log }: ReactorOptions,
  haltedWait: number,
  signal: AbortSignal,
): (() => Promise<number>) => {
  let memory: ReactorMemory | null = null;
  let halted: string | null = null;

  /** The position of the first activation is stored before anything is done. */
  const begin = async (): Promise<ReactorMemory | null> => {
    let begun = await recall(coordination, name);
    if (!begun) {
      const position = todo.position();
      if (position === null) return null;
      const activated = countsEarlier ? 0 : position;
      begun = { activated, handled: activated };
      await remember(coordination, name, begun);
    }
    work.begin(begun);
    return begun;
  };

  return async () => {
    const reason = await haltedBecause(coordination);
    if (reason !== null) {
      if (reason !== halted) log('warn', `The reactor ${name} is halted: uptrail reactors resume.`, { reason });
      halted = reason;
      memory = null;
      return haltedWait;
    }
    halted = null;
    memory ??= await begin();
    if (!memory) return LONGEST_WAIT;
    const { next, handled } = await work.round(clock(), log, signal);
    if (handled > memory.handled) {
      memory = { ...memory, handled };
      await remember(coordination, name, memory);
    }
    return next === null ? LONGEST_WAIT : Math.min(Math.max(next - clock(), 0), LONGEST_WAIT);
  };
};
