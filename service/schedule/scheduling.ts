import type { Logger } from 'pino';
import { defaultRegionOf, type Region } from '../../domain/check/regions.ts';
import type { StartRun } from '../../domain/check/run.ts';
import type { Credits } from '../../domain/credits/credits.ts';
import { createCancelGroup } from '../../runners/scheduler/cancel-group.ts';
import type { Clock } from '../../network/clock.ts';
import { createScheduler } from '../../runners/scheduler/scheduler.ts';
import type { CheckSource } from '../../runners/scheduler/check-source.ts';
import { createStartRun } from '../../runners/scheduler/start-run.ts';
import type { Coordination } from '../../stores/coordination/port.ts';
import { createBatches } from '../../stores/event-store/batches.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { WorkQueue } from '../../stores/work-queue/port.ts';
import type { CheckMetrics } from '../metrics/metrics.ts';
import type { RunLink } from '../run/run-link.ts';
import type { TroubleLog } from '../trouble-log.ts';
import { aborted, runUnderLease } from '../cluster/under-lease.ts';

export interface SchedulingOptions {
  /**
   * regions that are served. A check that names no region runs in the default region or, if the default region is not
   * served, in the first region of this list
   */
  regions: readonly Region[];
  checks: CheckSource;
  main: EventStore;
  results: EventStore;
  queue: WorkQueue;
  coordination: Pick<Coordination, 'acquire'>;
  link: RunLink;
  credits: Credits;
  /** clock that shows the time on which all processes agree */
  clock: Clock;
  metrics: CheckMetrics;
  troubles: TroubleLog;
  logger: Logger;
  /** returns the ids of regions that currently have no live runner; reads only memory */
  unserved: () => ReadonlySet<string>;
  /**
   * Starts to record which regions are cut off.
   *
   * @returns a function that stops the recording
   */
  recordOutages: () => () => Promise<void>;
}

export interface Scheduling {
  /** Starts a run of a check, or of a definition that is not stored as a check. */
  startRun: StartRun;
  /** Stops offering runs to runners. */
  stop: () => Promise<void>;
  /** Rejects when the scheduler had to stop because of an error. */
  ended: Promise<void>;
}

/** Schedules all checks while this process holds the scheduler's lease, so that only one process schedules them. */
export const startScheduling = (options: SchedulingOptions): Scheduling => {
  const { regions, checks, main, results, queue, coordination, link, credits, clock, metrics, troubles, logger } =
    options;
  const { unserved } = options;
  const stopping = new AbortController();
  const defaultRegion = defaultRegionOf(regions);
  const batches = createBatches({ log: results, after: clock.after });
  const startRun = metrics.counting(
    createStartRun({ queue, results: batches, clock, credits, defaultRegion, unserved }),
  );

  const cancelGroup = createCancelGroup({
    results: batches,
    clock,
    trouble: (error) => {
      logger.warn({ err: error }, 'the group of a cancelled run could not be withdrawn; it will time out');
    },
  });

  const schedule = async (over: AbortSignal): Promise<void> => {
    const scheduler = createScheduler({
      checks,
      log: main,
      startRun,
      credits,
      clock,
      cancel: link.cancel,
      cancelGroup,
      observe: {
        ...metrics.scheduler,
        trouble: (error) => {
          troubles.report('Cannot read the definitions of checks.', error);
        },
      },
    });
    const detach = link.attachScheduler(scheduler);
    const endOutages = options.recordOutages();
    try {
      // The scheduler starts when the checks can be read. The other parts of the process do not wait for the scheduler.
      await Promise.race([scheduler.start().then(() => scheduler.ended), aborted(over)]);
    } finally {
      await scheduler.stop();
      await detach();
      await endOutages();
    }
  };

  const { signal } = stopping;
  const trouble = (error: unknown): void => {
    troubles.report('Cannot determine which process schedules the checks.', error);
  };
  const ended = runUnderLease({ coordination, name: 'scheduler', signal, trouble }, schedule);
  // Without this handler, a failure would be reported as an unhandled rejection if no caller awaits `ended`.
  ended.catch(() => undefined);

  return {
    startRun,
    ended,
    stop: async () => {
      stopping.abort();
      await ended.catch(() => undefined);
    },
  };
};
