import type { ChildProcess } from 'node:child_process';
import { timeLimitOf } from '../../domain/check/run.ts';
import { RunAborted, type Outcome, type RunnableCheck } from '../../probes/engine/check-type.ts';
import { LocalFailure } from '../../network/local-failure.ts';
import type { Clock } from '../../network/clock.ts';
import type { ProbeContext } from '../probes.ts';
import type { RunCache } from '../../probes/engine/run-cache.ts';
import { batchMessages } from './batch-messages.ts';
import { PARENT_FD, type FromProcess, type Settings, type ToProcess } from './messages.ts';
import { serveMemory } from './serve-memory.ts';

/**
 * Maximum time that a process may take to end after its end was requested, in milliseconds. The same limit applies to
 * the time from the end of the process to the closing of its pipes.
 */
const FAREWELL_MS = 1_000;
/** How many characters of the process's newest output are stored. */
const OUTPUT_LENGTH = 2_000;

/** A run whose promise is pending. */
export interface PendingRun extends ProbeContext {
  check: RunnableCheck;
  resolve: (outcome: Outcome) => void;
  reject: (error: Error) => void;
}

/** A process that ended unexpectedly. */
export interface ProcessDeath {
  /** how the process ended: `it was ended by SIGABRT` */
  cause: string;
  /** newest output of the process */
  output: string;
  /** the runs in the process when it ended */
  runs: readonly PendingRun[];
  /** whether the process had ever been ready for runs */
  started: boolean;
}

export interface ProcessOptions {
  launch: () => ChildProcess;
  settings: Settings;
  /** cache that all processes share */
  memory: RunCache;
  clock: Clock;
  /** how long after its timeout a run may continue, milliseconds */
  patience: number;
  /** how long the process may take to become ready, milliseconds */
  begin: number;
  /** Called when the process accepts runs. */
  onReady: () => void;
  /** Called when a run has started in the process. */
  onBegin: () => void;
  /** Called when a run in the process has ended. */
  onFree: () => void;
  /** Called when the process has ended. @param death null if the end was requested */
  onEnd: (death: ProcessDeath | null) => void;
}

/** A probe process, as its parent controls it. */
export type ProbeProcess = ReturnType<typeof startProcess>;

/** A run in progress in the process. */
interface InFlight {
  run: PendingRun;
  /** when the run counts as overdue, by the monotonic clock */
  overdueAt: number;
  /**
   * Whether the run was already overdue at the previous check. A run must be overdue at two checks in a row, because a
   * delay of this process can make a run look overdue at one check.
   */
  doubted: boolean;
  forget: () => void;
}

/** Starts a process and communicates with it. */
export const startProcess = (options: ProcessOptions) => {
  const { launch, settings, clock, patience, begin, onReady, onBegin, onFree, onEnd } = options;
  const child = launch();
  const inFlight = new Map<number, InFlight>();
  let next = 0;
  let ready = false;
  let idleSince = clock.monotonic();
  /** whether the process ends when it has no runs left */
  let retired = false;
  /** why the process is being ended; null if it is not */
  let ending: { asked: boolean; cause: string | null } | null = null;
  let over = false;
  let output = '';

  const send = batchMessages((messages: ToProcess[]) => {
    // If a run can no longer be sent, it stays in `inFlight` and is reported when the end of the process is noticed.
    if (child.connected) child.send(messages, () => undefined);
  });

  const remembering = serveMemory(options.memory, send);

  const settle = (id: number): PendingRun | undefined => {
    const found = inFlight.get(id);
    if (!found) return undefined;
    inFlight.delete(id);
    found.forget();
    idleSince = clock.monotonic();
    return found.run;
  };

  const receive = (message: FromProcess): void => {
    if ('ready' in message) {
      ready = true;
      cancelBegin();
      onReady();
      return;
    }
    if ('memory' in message) {
      remembering.receive(message.memory);
      return;
    }
    const run = settle(message.id);
    if (!run) return;
    if ('outcome' in message) run.resolve(message.outcome);
    else run.reject('aborted' in message ? new RunAborted() : new LocalFailure(message.trouble));
    endIfRetired();
    onFree();
  };

  /** Called when the process has ended and all its messages have been read. */
  const end = (cause: string): void => {
    if (over) return;
    over = true;
    cancelBegin();
    remembering.end();
    const runs = [...inFlight.values()].map(({ run, forget }) => {
      forget();
      return run;
    });
    inFlight.clear();
    if (ending?.asked === true) {
      for (const run of runs) run.reject(new RunAborted());
      onEnd(null);
    } else onEnd({ cause: ending?.cause ?? cause, output: output.trim(), runs, started: ready });
  };

  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-OUTPUT_LENGTH);
  });
  child.on('message', (messages: FromProcess[]) => {
    messages.forEach(receive);
  });
  child.on('error', (error) => {
    if (child.pid === undefined) end(`it could not be started (${error.message})`);
  });
  let cancelWait = (): void => undefined;
  child.once('exit', (code, signal) => {
    const cause = signal === null ? `it ended with code ${String(code)}` : `it was ended by ${signal}`;
    // Wait until the final messages of the process have been read. A descendant process may hold the pipes open, so the
    // wait is limited.
    const atLast = (): void => {
      cancelWait();
      end(cause);
    };
    child.once('close', atLast);
    cancelWait = clock.after(FAREWELL_MS, atLast);
  });
  // A process that could not be started may have no pipes, although its type says that it has.
  const pipes = child.stdio as ChildProcess['stdio'] | undefined;
  pipes?.[PARENT_FD]?.on('error', () => undefined);
  send({ settings });

  const kill = (cause: string): void => {
    ending ??= { asked: false, cause };
    child.kill('SIGKILL');
  };

  const cancelBegin = clock.after(begin, () => {
    kill(`it was not ready after ${begin / 1_000} s`);
  });

  /** Ends the process immediately and aborts its runs. */
  const stop = (): void => {
    if (ending || over) return;
    ending = { asked: true, cause: null };
    if (child.connected) child.disconnect();
    const cancel = clock.after(FAREWELL_MS, () => child.kill('SIGKILL'));
    child.once('exit', cancel);
  };

  const endIfRetired = (): void => {
    if (retired && inFlight.size === 0) stop();
  };

  const takes = (): boolean => !retired && ending === null && !over;

  return {
    pid: child.pid,
    /** Whether the process accepts runs, or will accept them when it is ready. */
    takes,
    isReady: (): boolean => ready && takes(),
    inFlight: (): number => inFlight.size,
    /** Returns how long the process has been idle, in milliseconds. */
    idle: (): number => (inFlight.size > 0 ? 0 : clock.monotonic() - idleSince),

    /**
     * Starts a run. The promise of the run settles when the run has ended. If the process ends before that, the promise
     * stays pending, and the `ProcessDeath` that is reported contains the run.
     */
    begin: (run: PendingRun): void => {
      const id = next++;
      const onAbort = (): void => {
        send({ abort: id });
      };
      run.signal.addEventListener('abort', onAbort, { once: true });
      inFlight.set(id, {
        run,
        overdueAt: clock.monotonic() + timeLimitOf(run.check) + patience,
        doubted: false,
        forget: () => {
          run.signal.removeEventListener('abort', onAbort);
        },
      });
      send({ id, check: run.check, fresh: run.fresh });
      onBegin();
    },

    /** Kills the process if a run is overdue at two checks in a row. */
    look: (): void => {
      const now = clock.monotonic();
      for (const one of inFlight.values()) {
        const overdue = now > one.overdueAt;
        if (overdue && one.doubted) {
          kill(`a run was not done ${patience / 1_000} s after its timeout`);
          return;
        }
        one.doubted = overdue;
      }
    },

    /** Changes the settings of the process. The new settings apply to runs in progress too. */
    change: (changed: Settings): void => {
      send({ settings: changed });
    },

    kill,
    stop,

    /** Stops accepting runs, and ends the process when its runs have ended. */
    retire: (): void => {
      retired = true;
      endIfRetired();
    },
  };
};
