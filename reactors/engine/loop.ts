import { setTimeout as sleep } from 'node:timers/promises';
import type { Coordination, Lease } from '../../stores/coordination/port.ts';
import { createAlarm, type Alarm, type WakeConditions } from './alarm.ts';
import { createWakeSignal, type WakeSignal } from './wake-signal.ts';
import {
  readHaltReason,
  storeHaltedPosition,
  readCheckpoint,
  readRetryRequest,
  writeCheckpoint,
  type Checkpoint,
} from './checkpoint.ts';
import type { TodoProjection } from './lists.ts';
import type { ReactorLog, LeaseContext, Work } from './work.ts';

export interface Reactor {
  name: string;
  /** whether items from before the reactor was first active must be done */
  countsEarlier: boolean;
  todo: TodoProjection;
  work: Work;
}

export interface ReactorOptions {
  coordination: Pick<Coordination, 'acquire' | 'read' | 'write' | 'failedItems'>;
  /** Returns milliseconds since 1970. */
  clock: () => number;
  log: ReactorLog;
  /** Stops the reactor. Items under way receive the signal, too, and the reactor waits until they have ended. */
  signal: AbortSignal;
  /** Calls back when an operator might have sent a request. @returns a function that ends the callbacks */
  onRequest?: (callback: () => void) => () => void;
  /** alarm that all reactors of a process share; default: an alarm for this reactor only */
  alarm?: Alarm;
  /** replaces some of {@link REACTOR_TIMINGS} in tests */
  timings?: Partial<typeof REACTOR_TIMINGS>;
}

/** How often reactors check whether the clock was set, milliseconds. */
export const CLOCK_CHECK_MS = 10_000;

/** All values are in milliseconds. */
export const REACTOR_TIMINGS = {
  /** first pause after a failed round; it doubles with each failure, up to 2 s */
  retry: 500,
  /** how often a halted reactor checks whether it was resumed */
  halted: 1_000,
  /** how often an idle reactor checks whether the clock was set */
  clockCheck: CLOCK_CHECK_MS,
  /** minimum time between two rounds; on a busy log, every batch of events wakes the reactor */
  spacing: 20,
  /** minimum time between two writes of the checkpoint */
  checkpoint: 250,
};

type Timings = typeof REACTOR_TIMINGS;
type Running = ReactorOptions & { timings: Timings; alarm: Alarm };

const LONGEST_RETRY = 2_000;
/** After this many consecutive failed rounds, the reactor releases its lease, so that another process can take over. */
const MOST_FAILURES = 5;
/** Number of failed items read in one query. */
const PAGE = 1_000;

/**
 * Runs a reactor in this process. It works only while this process holds the reactor's lease, so that at most one
 * process works on its list.
 *
 * @returns a promise that resolves when the signal has aborted and the work under way has ended
 */
export const runReactor = async (reactor: Reactor, options: ReactorOptions): Promise<void> => {
  const { coordination, log, signal } = options;
  const timings = { ...REACTOR_TIMINGS, ...options.timings };
  const running = { ...options, timings, alarm: options.alarm ?? createAlarm(options.clock, timings.clockCheck) };
  let failures = 0;
  while (!signal.aborted) {
    try {
      const lease = await coordination.acquire(`reactor:${reactor.name}`, signal);
      const succeeded = (): void => {
        failures = 0;
      };
      await workUnder(lease, reactor, running, succeeded).finally(() => lease.release());
    } catch (error) {
      if (isAborted(signal)) return;
      logStopped(log, reactor, error);
      await sleep(pauseOf(failures++, running.timings), undefined, { signal }).catch(() => undefined);
    }
  }
};

const pauseOf = (failures: number, { retry }: Timings): number => Math.min(retry * 2 ** failures, LONGEST_RETRY);

const logStopped = (log: ReactorLog, { name }: Reactor, error: unknown): void => {
  const message = error instanceof Error ? error.message : String(error);
  log('error', `The reactor ${name} cannot work now.`, { error: message }, error);
};

/**
 * Returns whether the signal is aborted. The compiler assumes that `await` cannot change `signal.aborted`, so after one
 * direct test it rejects a second one.
 */
const isAborted = (signal: AbortSignal): boolean => signal.aborted;

/**
 * Runs rounds under a lease. Resolves when the lease is lost or the signal aborts.
 *
 * @throws Error if several consecutive rounds failed
 */
const workUnder = async (lease: Lease, reactor: Reactor, options: Running, succeeded: () => void): Promise<void> => {
  const { log, timings, alarm } = options;
  const signal = AbortSignal.any([options.signal, lease.lost]);
  const wakeSignal = createWakeSignal(signal);
  const rounds = createRounds(reactor, lease, options, wakeSignal, signal);
  const stopRequests = options.onRequest?.(() => {
    rounds.lookAgain();
    wakeSignal.wake();
  });
  const watched = reactor.todo.watch((everything) => {
    reactor.work.written(everything);
    wakeSignal.wake();
  });
  const unwatch = [watched, stopRequests];
  try {
    for (let failures = 0; !signal.aborted;) {
      try {
        // Read the offset before the round reads the clock, so that a clock set during the round is noticed.
        const offset = alarm.offset();
        const next = await rounds.next();
        failures = 0;
        succeeded();
        await sleep(timings.spacing, undefined, { signal }).catch(() => undefined);
        const cancel = alarm.wait(next, offset, wakeSignal.wake);
        await wakeSignal.woken();
        cancel();
      } catch (error) {
        if (isAborted(signal)) break;
        if (++failures === MOST_FAILURES) throw error;
        logStopped(log, reactor, error);
        await sleep(pauseOf(failures - 1, timings), undefined, { signal }).catch(() => undefined);
      }
    }
  } finally {
    for (const end of unwatch) end?.();
    await rounds.end();
  }
};

/** Runs the rounds of a reactor under one lease. */
interface Rounds {
  /** Runs a round. @returns when the next round is due, unless the reactor is woken earlier */
  next: () => Promise<WakeConditions>;
  /** After this call, the next round checks whether an operator has sent a request. */
  lookAgain: () => void;
  /** Waits for the work under way, and stores the checkpoint. */
  end: () => Promise<void>;
}

const createRounds = (
  { name, countsEarlier, todo, work }: Reactor,
  lease: Lease,
  { coordination, clock, log, timings }: Running,
  wakeSignal: WakeSignal,
  signal: AbortSignal,
): Rounds => {
  const { failedItems } = coordination;
  /** the stored checkpoint; null if the work has not started or is paused */
  let checkpoint: Checkpoint | null = null;
  let stored = -Infinity;
  let halted: string | null = null;
  /** the newest request of an operator at the start of the work */
  let request: string | null = null;
  /** whether an operator might have sent a newer request */
  let mightHaveRequest = false;

  const store = async (now: Checkpoint): Promise<void> => {
    if (JSON.stringify(now) === JSON.stringify(checkpoint)) return;
    await writeCheckpoint(coordination, name, now);
    checkpoint = now;
    stored = performance.now();
  };

  /**
   * Starts the work. If the reactor was never active, first stores its activation. Returns null if that is not possible
   * yet, because the list is not live.
   */
  const begin = async (): Promise<Checkpoint | null> => {
    request = await readRetryRequest(coordination, name);
    let begun = await readCheckpoint(coordination, name);
    if (!begun) {
      const position = todo.position();
      if (position === null) return null;
      const activated = countsEarlier ? 0 : position;
      begun = { activated, handled: activated };
      await writeCheckpoint(coordination, name, begun);
    }
    await work.begin(leaseContextFor(begun));
    checkpoint = begun;
    return begun;
  };

  const leaseContextFor = (begun: Checkpoint): LeaseContext => ({
    checkpoint: begun,
    failed: {
      pages: async function* () {
        for (let after: string | null = null; ;) {
          const page = await failedItems.page(name, { after, limit: PAGE });
          const last = page.at(-1);
          if (!last) return;
          yield page;
          after = last.id;
        }
      },
      keep: (items) => failedItems.store(name, lease.token, items),
      release: (ids) => failedItems.remove(name, lease.token, ids),
    },
    clock,
    log,
    signal,
    wake: wakeSignal.wake,
  });

  /** Returns whether an operator has sent a request since the work started. */
  const isRequested = async (): Promise<boolean> => {
    if (!checkpoint || !mightHaveRequest) return false;
    const hasRequest = (await readRetryRequest(coordination, name)) !== request;
    mightHaveRequest = false;
    return hasRequest;
  };

  /** Waits until nothing is under way, and stores the checkpoint. The next round starts the work again. */
  const pause = async (): Promise<void> => {
    if (!checkpoint) return;
    const last = await work.idle();
    // Store nothing without the lease, because its new holder has already read the checkpoint. Store nothing while
    // halted, because `resumeReactors` replaces the checkpoint.
    if (!lease.lost.aborted && halted === null) await store(last);
    checkpoint = null;
  };

  return {
    lookAgain: () => {
      mightHaveRequest = true;
    },

    next: async () => {
      const reason = await readHaltReason(coordination);
      if (reason !== null) {
        if (reason !== halted)
          log('warn', `The reactor ${name} is halted. Run \`uptrail reactors resume\`.`, { reason });
        halted = reason;
        await pause();
        const position = todo.position();
        if (!countsEarlier && position !== null) await storeHaltedPosition(coordination, name, { reason, position });
        return { at: null, elapsed: timings.halted };
      }
      halted = null;
      if (await isRequested()) await pause();
      if (!checkpoint && !(await begin())) return { at: null, elapsed: null };
      const round = await work.round(clock());
      const left = stored + timings.checkpoint - performance.now();
      if (left <= 0) await store(round.checkpoint);
      const isStored = JSON.stringify(round.checkpoint) === JSON.stringify(checkpoint);
      return { at: round.next, elapsed: isStored ? null : left };
    },

    end: async () => {
      await pause().catch((error: unknown) => {
        log('error', `The reactor ${name} cannot store its checkpoint.`, {}, error);
      });
    },
  };
};
