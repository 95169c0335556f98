import type { ChildProcess } from 'node:child_process';
import type { CheckTypeName } from '../../domain/check/events.ts';
import { RunAborted, type Outcome } from '../../probes/engine/check-type.ts';
import { LocalFailure } from '../../network/local-failure.ts';
import type { Clock } from '../../network/clock.ts';
import type { Probes } from '../probes.ts';
import { createRunCache } from '../../probes/engine/run-cache.ts';
import type { Settings } from './messages.ts';
import { startProcess, type PendingRun, type ProcessDeath, type ProbeProcess } from './process.ts';
import { createQuarantine } from './quarantine.ts';
import { residentMemory } from './resident-memory.ts';

/** The limits of probe processes. Times are in milliseconds, sizes in bytes. */
export interface ProcessLimits {
  /** how long after its timeout a run may continue before its process counts as hung */
  patience: number;
  /** how long a process may take to become ready for runs */
  begin: number;
  /** resident memory; a process that uses more is ended immediately */
  memory: number;
  /** resident memory; a process that uses more accepts no more runs, and is replaced when its runs have ended */
  worn: number;
  /** concurrent runs per process; if every process has this many, another process is started */
  enough: number;
  /** maximum number of concurrent runs per process; further runs wait */
  most: number;
  /** how often processes with runs are checked */
  checkInterval: number;
  /** how long an additional process may be idle before it is ended */
  idle: number;
}

const MiB = 1_024 * 1_024;

const LIMITS: ProcessLimits = {
  patience: 5_000,
  begin: 30_000,
  memory: 256 * MiB,
  worn: 192 * MiB,
  enough: 16,
  most: 512,
  checkInterval: 500,
  idle: 60_000,
};

/**
 * Pauses between attempts to start a process, in milliseconds. After the final one, further pauses have the same
 * length.
 */
const PAUSES_MS = [100, 400, 1_600, 6_400];
/**
 * If this many processes in a row ended before they were ready, runs do not wait for another process, but are returned
 * to the queue.
 */
const HOPELESS_AFTER = 3;

export interface ProbeProcessesOptions {
  types: readonly CheckTypeName[];
  launch: () => ChildProcess;
  settings: Settings;
  /** maximum number of processes; the process for repeated runs does not count */
  most: number;
  clock: Clock;
  /** for tests */
  limits?: Partial<ProcessLimits>;
  /**
   * Called if a run has produced an outcome although it had been aborted. The outcome and its files must be discarded.
   */
  discarded?: (outcome: Outcome) => void;
  /**
   * Called if a process ended unexpectedly. `repeated` says whether the runs that were in it are repeated in a separate
   * process.
   */
  died?: (death: ProcessDeath, repeated: boolean) => void;
  /** Called if processes cannot be started, or end before they are ready. Only the first failure is reported. */
  cannotStart?: (death: ProcessDeath) => void;
  /**
   * Called when a process is ready after several processes in a row were never ready.
   *
   * @param failures number of the processes that were never ready
   */
  startedAgain?: (failures: number) => void;
}

/** The state of the probe processes. */
export interface ProcessesState {
  /** number of processes that accept runs */
  ready: number;
  /** number of all processes */
  running: number;
  /** number of processes that ended unexpectedly since the service started; each was replaced */
  restarts: number;
  /** number of runs in all processes */
  runs: number;
  /** why currently no process can be started; null if processes can be started */
  trouble: string | null;
}

export interface ProbeProcesses extends Probes {
  state: () => ProcessesState;
  /** Changes the settings of all processes. The new settings apply to runs in progress too. */
  change: (settings: Settings) => void;
  /** Ends all processes and aborts their runs. */
  stop: () => Promise<void>;
}

/**
 * Runs checks in child processes. The response of a target can make a parser or a native module crash, or use up
 * memory. This affects only a child process and its runs, never the service. Initially one process is started, and more
 * are started when there are more concurrent runs. A process that dies, hangs or grows too large is replaced, and its
 * runs are repeated one at a time (quarantine.ts).
 */
export const createProbeProcesses = (options: ProbeProcessesOptions): ProbeProcesses => {
  const { types, clock, most, died } = options;
  let { settings } = options;
  const limits = { ...LIMITS, ...options.limits };
  const processes = new Set<ProbeProcess>();
  const memory = createRunCache(clock);
  const waiting: PendingRun[] = [];
  let restarts = 0;
  /** number of processes in a row that ended without a run; most of them were never ready */
  let failures = 0;
  /** number of processes in a row that were never ready */
  let unready = 0;
  let trouble: string | null = null;
  /** cancels the scheduled start of a process; null if none is scheduled */
  let cancelStart: (() => void) | null = null;
  let cancelWatch: (() => void) | null = null;
  let stopped: (() => void) | null = null;
  const alive = new Set<ProbeProcess>();

  interface Hooks {
    onReady: () => void;
    onFree: () => void;
    onEnd: (death: ProcessDeath | null) => void;
  }

  const start = ({ onReady, onFree, onEnd }: Hooks): ProbeProcess => {
    const process = startProcess({
      launch: options.launch,
      settings,
      memory,
      clock,
      patience: limits.patience,
      begin: limits.begin,
      onReady: () => {
        failures = 0;
        trouble = null;
        if (unready > 0) options.startedAgain?.(unready);
        unready = 0;
        onReady();
      },
      onBegin: watch,
      onFree,
      onEnd: (death) => {
        alive.delete(process);
        if (death) restarts += 1;
        onEnd(death);
        if (alive.size === 0) stopped?.();
      },
    });
    alive.add(process);
    return process;
  };

  const quarantine = createQuarantine({
    clock,
    start: ({ onReady, onFree, onEnd }) =>
      start({
        onReady,
        onFree,
        onEnd: (death) => {
          if (death) reportDeath(death, false);
          onEnd(death);
        },
      }),
  });

  const reportDeath = (death: ProcessDeath, repeated: boolean): void => {
    if (death.started) died?.(death, repeated);
    else {
      unready += 1;
      if (unready === 1) options.cannotStart?.(death);
    }
  };

  const startOne = (): void => {
    if (stopped) return;
    const process = start({
      onReady: pump,
      onFree: pump,
      onEnd: (death) => {
        processes.delete(process);
        if (stopped) {
          for (const run of death?.runs ?? []) run.reject(new RunAborted());
          return;
        }
        if (death) lose(death);
        if (takers().length === 0) scheduleStart();
      },
    });
    processes.add(process);
  };

  const lose = (death: ProcessDeath): void => {
    const suspects = death.runs.filter(({ signal }) => !signal.aborted);
    reportDeath(death, suspects.length > 0);
    quarantine.add(suspects);
    if (death.runs.length > 0) return;
    failures += 1;
    trouble = death.cause;
    if (!isHopeless()) return;
    for (const run of waiting.splice(0))
      run.reject(new LocalFailure(`No probe process can be started: ${death.cause}.`));
  };

  /** Whether waiting for a process is pointless, because none is ready and several in a row were never ready. */
  const isHopeless = (): boolean => failures >= HOPELESS_AFTER && ![...processes].some((process) => process.isReady());

  /** Starts a process. If the previous attempts failed, pauses before the start. */
  const scheduleStart = (): void => {
    if (cancelStart) return;
    if (failures === 0) startOne();
    else
      cancelStart = clock.after(PAUSES_MS[Math.min(failures, PAUSES_MS.length) - 1] ?? 0, () => {
        cancelStart = null;
        if (takers().length < most) startOne();
      });
  };

  const takers = (): ProbeProcess[] => [...processes].filter((process) => process.takes());

  /** Returns the process that should get the next run; undefined if all are busy. */
  const chosen = (): ProbeProcess | undefined => {
    const ready = takers().filter((process) => process.isReady());
    // Fill the first processes in the list first, so that additional processes become idle and can end.
    const free = ready.find((process) => process.inFlight() < limits.enough);
    if (free) return free;
    if (takers().length === ready.length && ready.length < most && ready.length > 0) scheduleStart();
    const [least] = ready.sort((one, other) => one.inFlight() - other.inFlight());
    return least && least.inFlight() < limits.most ? least : undefined;
  };

  const pump = (): void => {
    while (waiting.length > 0) {
      const process = chosen();
      if (!process) return;
      const run = waiting.shift();
      if (run && !run.signal.aborted) process.begin(run);
    }
  };

  /** Checks all processes periodically, as long as there are runs or additional processes. */
  const watch = (): void => {
    if (cancelWatch || stopped) return;
    cancelWatch = clock.after(limits.checkInterval, () => {
      void checkAll().then(() => {
        cancelWatch = null;
        const runs = [...alive].some((process) => process.inFlight() > 0);
        if (runs || alive.size > 1) watch();
      });
    });
  };

  const checkAll = async (): Promise<void> => {
    for (const process of [...alive]) {
      process.look();
      if (process.inFlight() > 0 && process.pid !== undefined) limitMemory(process, await residentMemory(process.pid));
    }
    // End idle processes, but always keep one.
    for (const process of [...takers().slice(1), quarantine.process()]) {
      if (process && process.idle() > limits.idle) process.retire();
    }
  };

  const limitMemory = (process: ProbeProcess, bytes: number | null): void => {
    if (bytes === null) return;
    if (bytes > limits.memory) process.kill(`it used ${Math.round(bytes / MiB)} MiB of memory`);
    else if (bytes > limits.worn && processes.has(process)) {
      process.retire();
      if (takers().length === 0) startOne();
    }
  };

  startOne();

  return {
    types,
    run: (check, context) =>
      new Promise((resolve, reject) => {
        const { signal } = context;
        if (stopped || signal.aborted) {
          reject(new RunAborted());
          return;
        }
        signal.addEventListener(
          'abort',
          () => {
            reject(new RunAborted());
          },
          { once: true },
        );
        waiting.push({
          check,
          ...context,
          resolve: (outcome) => {
            if (signal.aborted) options.discarded?.(outcome);
            else resolve(outcome);
          },
          reject,
        });
        pump();
      }),
    state: () => ({
      ready: takers().filter((process) => process.isReady()).length,
      running: alive.size,
      restarts,
      runs: [...alive].reduce((sum, process) => sum + process.inFlight(), 0),
      trouble: isHopeless() ? trouble : null,
    }),
    change: (changed) => {
      settings = changed;
      for (const process of alive) process.change(changed);
    },
    stop: () =>
      new Promise((resolve) => {
        stopped = resolve;
        cancelStart?.();
        cancelWatch?.();
        for (const run of waiting.splice(0)) run.reject(new RunAborted());
        quarantine.stop();
        if (alive.size === 0) resolve();
        for (const process of alive) process.stop();
      }),
  };
};
