import { networkInterfaces } from 'node:os';
import type { Logger } from 'pino';
import type { CheckServer } from '../domain/check-result/events.ts';
import { defaultRegionOf, type Region } from '../domain/check/regions.ts';
import { derivedId } from '../domain/identity.ts';
import { systemClock } from '../runners/clock.ts';
import { systemResolve } from '../runners/network/resolve.ts';
import { messageOf } from '../runners/run-message.ts';
import type { StartRun } from '../domain/check/run.ts';
import { createStartRun } from '../runners/start-run.ts';
import { createScheduler, type Scheduler } from '../runners/scheduler/scheduler.ts';
import type { CheckSource } from '../runners/scheduler/source.ts';
import { createWorker } from '../runners/worker/worker.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import type { Keys } from '../stores/keys/port.ts';
import { openInProcessQueue } from '../stores/work-queue/in-process.ts';
import type { WorkQueue } from '../stores/work-queue/port.ts';
import { TYPES } from './check-types.ts';
import type { Config } from './config.ts';
import type { CheckMetrics } from './metrics.ts';
import { targetPolicyOf } from './target-policy.ts';

export interface CheckRunsOptions {
  config: Pick<Config, 'targetPolicy' | 'targetAllow' | 'targetDeny' | 'runnerConcurrency'>;
  /** id of the log `main`: the ids of the servers follow from it */
  logId: string;
  /** regions whose checks this process runs */
  regions: readonly Region[];
  checks: CheckSource;
  main: EventStore;
  results: EventStore;
  keys: Keys;
  metrics: CheckMetrics;
  logger: Logger;
}

export interface CheckRuns {
  queue: WorkQueue;
  /** Starts a run of a check or of a definition that is not stored. */
  startRun: StartRun;
  /** how many checks are scheduled */
  size: () => number;
  /** Offers no more runs, ends those in flight without results, and waits for results being stored. */
  stop: () => Promise<void>;
  /** Rejects when the scheduler had to stop. */
  ended: Promise<void>;
}

/** Schedules all checks and runs them in this process, each region with a worker of its own. */
export const startCheckRuns = (options: CheckRunsOptions): CheckRuns => {
  const { config, logId, regions, checks, main, results, keys, metrics, logger } = options;
  const queue = openInProcessQueue();
  const policy = targetPolicyOf(config);

  const startRun = createStartRun({
    queue,
    log: results,
    clock: systemClock,
    defaultRegion: defaultRegionOf(regions),
  });

  const workers = regions.map((region) =>
    createWorker({
      region,
      server: serverOf(region, logId),
      types: TYPES,
      queue,
      log: results,
      keys,
      clock: systemClock,
      resolve: systemResolve,
      policy,
      concurrency: config.runnerConcurrency,
      wanted: (run) => {
        const { check_id, result_type } = messageOf(run);
        // Only scheduled runs are bound to what the check is now.
        return check_id === null || result_type === 'on_demand' || scheduler.wants(check_id, run.run_id);
      },
      finished: (run) => {
        const { check_id } = messageOf(run);
        if (check_id !== null) scheduler.finished(check_id, run.run_id);
      },
      observe: {
        ...metrics.worker(region),
        trouble: (run, error) => {
          metrics.worker(region).trouble(run, error);
          logger.warn({ err: error, runId: run.run_id, region: region.id }, 'a check could not be run');
        },
      },
    }),
  );
  const scheduler: Scheduler = createScheduler({
    checks,
    log: main,
    startRun,
    clock: systemClock,
    cancel: (runId) => {
      for (const worker of workers) worker.cancel(runId);
    },
    observe: {
      ...metrics.scheduler,
      trouble: (error) => {
        logger.warn({ err: error }, 'definitions of checks could not be read');
      },
    },
  });

  for (const worker of workers) worker.start();
  // Begins when the checks can be read, which nobody else has to wait for.
  const started = scheduler.start();
  return {
    queue,
    startRun,
    size: scheduler.size,
    ended: Promise.all([started, scheduler.ended]).then(() => undefined),
    stop: async () => {
      await scheduler.stop();
      await Promise.all(workers.map((worker) => worker.stop()));
      await queue.close();
    },
  };
};

/** What results say of this machine: one server a region, since that is what people tell apart. */
const serverOf = (region: Region, logId: string): CheckServer => ({
  id: derivedId(`check server ${logId} ${region.id}`),
  country: region.country,
  region: region.id,
  ip_address: ownAddress(),
  server_metadata: { provider: 'self-hosted' },
});

/** An address of this machine that others may know, else loopback. */
const ownAddress = (): string => {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const outer = addresses.filter(({ internal, address }) => !internal && !address.startsWith('fe80:'));
  return (outer.find(({ family }) => family === 'IPv4') ?? outer[0])?.address ?? '127.0.0.1';
};
