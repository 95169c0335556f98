import { RunAborted } from '../../probes/engine/check-type.ts';
import { LocalFailure } from '../../network/local-failure.ts';
import type { Clock } from '../../network/clock.ts';
import { KillsItsProcess } from '../probes.ts';
import type { PendingRun, ProcessDeath, ProbeProcess } from './process.ts';

/** How long a run may wait for its repetition, in milliseconds. After that, the run is returned to the queue. */
const PATIENCE_MS = 60_000;

export interface QuarantineOptions {
  clock: Pick<Clock, 'monotonic'>;
  /** Starts a process for the repeated runs. */
  start: (hooks: {
    onReady: () => void;
    onFree: () => void;
    onEnd: (death: ProcessDeath | null) => void;
  }) => ProbeProcess;
}

/**
 * Repeats runs whose process died. The runs are repeated one at a time, in a process that runs nothing else. If that
 * process dies too, the repeated run is proven to be the cause.
 */
export const createQuarantine = ({ clock, start }: QuarantineOptions) => {
  const waiting: { run: PendingRun; since: number }[] = [];
  let process: ProbeProcess | null = null;

  const next = (): PendingRun | undefined => {
    for (let first = waiting.shift(); first; first = waiting.shift()) {
      const { run, since } = first;
      if (run.signal.aborted) continue;
      if (clock.monotonic() - since < PATIENCE_MS) return run;
      run.reject(new LocalFailure('The process of the run died, and too many other runs are waiting to be repeated.'));
    }
    return undefined;
  };

  const onEnd = (death: ProcessDeath | null): void => {
    process = null;
    const guilty = death?.runs[0];
    if (death && guilty) guilty.reject(new KillsItsProcess(death.cause));
    // The process was never ready, so starting another one would fail too.
    else if (death) {
      const trouble = new LocalFailure(`No probe process can be started: ${death.cause}.`);
      for (const { run } of waiting.splice(0)) run.reject(trouble);
    }
    if (waiting.length > 0) pump();
  };

  const pump = (): void => {
    process ??= start({ onReady: pump, onFree: pump, onEnd });
    if (!process.isReady() || process.inFlight() > 0) return;
    const run = next();
    if (run) process.begin(run);
  };

  return {
    add: (runs: readonly PendingRun[]): void => {
      waiting.push(...runs.map((run) => ({ run, since: clock.monotonic() })));
      if (waiting.length > 0) pump();
    },
    process: (): ProbeProcess | null => process,
    stop: (): void => {
      for (const { run } of waiting.splice(0)) run.reject(new RunAborted());
    },
  };
};
