import type { Clock } from '../../../network/clock.ts';
import { partsOf, type Deployment, type Part } from '../deployments.ts';
import { createMachine, type Machine, type SimulatedProcess } from './machines.ts';
import type { Observations } from './observations.ts';
import { SECOND_MS } from '../../../domain/time.ts';

/**
 * Minimum number of appends of results per second: batches wait at most 500 ms if no caller waits (`leisurelyWait`).
 */
const APPENDS_PER_SECOND = 2;

/** The machines and processes of a deployment, and the objects that all parts of the simulation share. */
export interface Stage {
  parts: Deployment['parts'];
  clock: Clock;
  signal: AbortSignal;
  observations: Observations;
  machines: readonly Machine[];
  /** the processes of each part */
  processes: ReadonlyMap<Part, readonly SimulatedProcess[]>;
  /**
   * Returns a process of a part.
   *
   * @param index modulo the number of processes of the part
   */
  process: (part: Part, index: number) => SimulatedProcess;
}

export interface StageOptions extends Pick<Stage, 'clock' | 'signal' | 'observations'> {
  deployment: Deployment;
}

/** Starts the processes of a deployment, spread evenly over its machines, with their idle load. */
export const createStage = ({ deployment, clock, signal, observations }: StageOptions): Stage => {
  const { parts } = deployment;
  const machines = Array.from({ length: deployment.machines }, () => createMachine(deployment.cores, clock));
  let next = 0;
  const start = (): SimulatedProcess => {
    const machine = machines[next++ % machines.length];
    if (!machine) throw new Error('There is no machine.');
    return machine.start();
  };
  const processes = new Map(
    partsOf(deployment).map((part) => [part, Array.from({ length: part.processes }, start)] as const),
  );
  // For these parts, the cost that does not depend on the rate of runs (`flowing`) is charged to appends and pages. For
  // all other parts, this cost is simulated as a steady load.
  const charged = new Set([parts.run, parts.project, parts.threads]);
  for (const [part, all] of processes) {
    const each = part.cost.idle + (charged.has(part) ? 0 : part.cost.flowing);
    for (const process of all) rest(clock, process, each, signal);
  }
  return {
    parts,
    clock,
    signal,
    observations,
    machines,
    processes,
    process: (part, index) => {
      const all = processes.get(part) ?? [];
      const process = all[index % all.length];
      if (!process) throw new Error(`There is no process of ${part.name}.`);
      return process;
    },
  };
};

/**
 * Simulates the part of a process's load that does not depend on runs.
 *
 * @param each milliseconds of CPU time per second
 */
const rest = (clock: Clock, process: SimulatedProcess, each: number, signal: AbortSignal): void => {
  const repeat = (): void => {
    if (signal.aborted) return;
    void process.work(each / APPENDS_PER_SECOND);
    clock.after(SECOND_MS / APPENDS_PER_SECOND, repeat);
  };
  repeat();
};

/**
 * Returns the CPU time of one append or one page in milliseconds, without the time for the events in it. There are at
 * least two appends and two pages per second.
 */
export const costOfBatch = ({ cost }: Part): number => cost.flowing / APPENDS_PER_SECOND;

/** Returns the clock of a process. Its timers wait until earlier jobs of the process are done. */
export const clockOf = (clock: Clock, process: SimulatedProcess): Clock => ({
  ...clock,
  after: (milliseconds, callback) => {
    let cancelled = false;
    const cancel = clock.after(milliseconds, () => {
      void process.work(0).then(() => {
        if (!cancelled) callback();
      });
    });
    return () => {
      cancelled = true;
      cancel();
    };
  },
});

export const pauseOf = (clock: Clock, milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    clock.after(milliseconds, resolve);
  });
