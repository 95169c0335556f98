import type { Clock } from '../../../network/clock.ts';

/** A simulated machine. Its processes share the cores: the process that has waited longest gets the next free core. */
export interface Machine {
  readonly cores: number;
  /** returns the total time for which the cores have worked, in milliseconds */
  busy: () => number;
  /** Adds a process, which uses one core at a time. */
  start: () => SimulatedProcess;
}

/** A simulated process, which does one job after another, like a JavaScript thread. */
export interface SimulatedProcess {
  /** Adds a job that takes this many milliseconds of CPU time. Resolves when all earlier jobs and this one are done. */
  work: (milliseconds: number) => Promise<void>;
  /** returns the time for which the process has worked, in milliseconds */
  busy: () => number;
}

interface Job {
  milliseconds: number;
  done: () => void;
}

export const createMachine = (cores: number, clock: Pick<Clock, 'after' | 'monotonic'>): Machine => {
  const processes: SimulatedProcess[] = [];
  let free = cores;
  /** processes that wait for a core */
  const ready: (() => void)[] = [];

  const release = (): void => {
    const next = ready.shift();
    if (next) next();
    else free += 1;
  };

  const start = (): SimulatedProcess => {
    const jobs: Job[] = [];
    let busy = 0;
    /** when the current job got a core; null if the job has no core */
    let since: number | null = null;

    const run = (): void => {
      const [job] = jobs;
      if (!job) throw new Error('A process without work has a core.');
      since = clock.monotonic();
      clock.after(job.milliseconds, () => {
        busy += job.milliseconds;
        since = null;
        jobs.shift();
        job.done();
        if (jobs.length > 0) request();
        release();
      });
    };
    const request = (): void => {
      if (free === 0) {
        ready.push(run);
        return;
      }
      free -= 1;
      run();
    };

    const process: SimulatedProcess = {
      work: (milliseconds) =>
        new Promise((done) => {
          jobs.push({ milliseconds, done });
          if (jobs.length === 1) request();
        }),
      busy: () => busy + (since === null ? 0 : clock.monotonic() - since),
    };
    processes.push(process);
    return process;
  };

  return { cores, busy: () => processes.reduce((sum, process) => sum + process.busy(), 0), start };
};
