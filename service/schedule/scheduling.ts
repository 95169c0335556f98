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
  /** served regions; checks without regions run in the default one, or otherwise in the first */
  regions: readonly Region[];
  checks: CheckSource;
  main: EventStore;
  results: EventStore;
  queue: WorkQueue;
  coordination: Pick<Coordination, 'acquire'>;
  link: RunLink;
  credits: Credits;
  /** the time that all processes agree on */
  clock: Clock;
  metrics: CheckMetrics;
  troubles: TroubleLog;
  logger: Logger;
  /** ids of regions without a live runner at present, from memory */
  unserved: () => ReadonlySet<string>;
  /** Starts recording which regions are cut off. @returns ends that */
  recordOutages: () => () => Promise<void>;
}

export interface Scheduling {
  /** Starts a run of a check or of an unstored definition. */
  startRun: StartRun;
  /** Stops offering runs. */
  stop: () => Promise<void>;
  /** Rejects when the scheduler had to stop. */
  ended: Promise<void>;
}

/** Schedules all checks while this process holds the scheduler's lease: only one instance is active. */
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
      // Starts when the checks can be read; nothing else has to wait for that.
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
  // The failure also reaches those who await `ended`, which may have no handler.
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
