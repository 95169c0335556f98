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

/** How long a process may take to end on request, or its pipes to close after it has ended. Milliseconds. */
const FAREWELL_MS = 1_000;
/** How much of its latest output is retained, characters. */
const OUTPUT_LENGTH = 2_000;

/** A run with its pending promise. */
export interface PendingRun extends ProbeContext {
  check: RunnableCheck;
  resolve: (outcome: Outcome) => void;
  reject: (error: Error) => void;
}

/** A process that ended unexpectedly. */
export interface ProcessDeath {
  /** `it was ended by SIGABRT` */
  cause: string;
  /** its latest output */
  output: string;
  /** its runs at that time */
  runs: readonly PendingRun[];
  /** whether it had ever been ready for runs */
  started: boolean;
}

export interface ProcessOptions {
  launch: () => ChildProcess;
  settings: Settings;
  /** shared by all processes */
  memory: RunCache;
  clock: Clock;
  /** how much longer than its timeout a run may take, milliseconds */
  patience: number;
  /** how long it may take to be ready, milliseconds */
  begin: number;
  /** It accepts runs from now on. */
  onReady: () => void;
  /** A run has started in it. */
  onBegin: () => void;
  /** A run has ended in it. */
  onFree: () => void;
  /** It has ended; null: as requested. */
  onEnd: (death: ProcessDeath | null) => void;
}

/** A probe process, as seen by its parent. */
export type ProbeProcess = ReturnType<typeof startProcess>;

/** A run in the process. */
interface InFlight {
  run: PendingRun;
  /** by the monotonic clock */
  overdueAt: number;
  /** it was overdue at the previous check too, so the check itself was not just late */
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
  /** it ends when it has no runs left */
  let retired = false;
  /** null: it may continue running */
  let ending: { asked: boolean; cause: string | null } | null = null;
  let over = false;
  let output = '';

  const send = batchMessages((messages: ToProcess[]) => {
    // A run that can no longer be sent is in flight when the end of the process is noticed.
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

  /** Called once the process is gone and all its messages have been read. */
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
    // Its last messages may still be unread, unless a descendant process holds the pipes open.
    const atLast = (): void => {
      cancelWait();
      end(cause);
    };
    child.once('close', atLast);
    cancelWait = clock.after(FAREWELL_MS, atLast);
  });
  // A process that could not be started may have no pipes at all, whatever its type says.
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

  /** Ends it immediately; its runs are aborted. */
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
    /** Whether it accepts runs, or will once it is ready. */
    takes,
    isReady: (): boolean => ready && takes(),
    inFlight: (): number => inFlight.size,
    /** How long it has been idle, milliseconds. */
    idle: (): number => (inFlight.size > 0 ? 0 : clock.monotonic() - idleSince),

    /** Starts a run, which settles when it has ended; a run lost with the process is reported with its death. */
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

    /** Ends the process if a run is overdue twice in a row. */
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

    /** Changes its settings, including for its current runs. */
    change: (changed: Settings): void => {
      send({ settings: changed });
    },

    kill,
    stop,

    /** Stops accepting runs, and ends the process when its runs are done. */
    retire: (): void => {
      retired = true;
      endIfRetired();
    },
  };
};
