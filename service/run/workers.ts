import type { Logger } from 'pino';
import type { CheckServer } from '../../domain/check-result/events.ts';
import type { CheckTypeName } from '../../domain/check/events.ts';
import type { LiveRunners, Region } from '../../domain/check/regions.ts';
import type { Clock } from '../../network/clock.ts';
import type { Probes } from '../../runners/probes.ts';
import { createRunTroubles } from '../../runners/worker/run-troubles.ts';
import { createWorker, type WorkerDependencies } from '../../runners/worker/worker.ts';
import { createBatches } from '../../stores/event-store/batches.ts';
import type { Batches, EventStore } from '../../stores/event-store/port.ts';
import type { Keys } from '../../stores/keys/port.ts';
import type { Config } from '../config/config.ts';
import type { CheckMetrics } from '../metrics/metrics.ts';
import type { RunLink } from './run-link.ts';

export interface WorkersOptions {
  config: Pick<Config, 'runnerConcurrency'>;
  results: EventStore;
  keys: Keys;
  files?: WorkerDependencies['files'];
  secretsOf: WorkerDependencies['secretsOf'];
  link: RunLink;
  /** the abilities of the runners of all processes */
  runners: Pick<LiveRunners, 'abilities'>;
  /** additional steps for runs on demand */
  onDemand: Pick<WorkerDependencies, 'began' | 'outdated'>;
  endedProcesses?: WorkerDependencies['endedProcesses'];
  /** the time that all processes agree on */
  clock: Clock;
  metrics: CheckMetrics;
  logger: Logger;
}

/** Where the runs of a region are executed. */
export interface RegionWork {
  region: Region;
  probes: Probes;
  queue: WorkerDependencies['queue'];
  /** the machine named in results, called for each result */
  server: () => CheckServer;
  /** null if none are configured, or if the runner checks its anchors itself */
  anchors: WorkerDependencies['anchors'] | null;
  /** maximum number of concurrent runs of types that share a queue */
  concurrency: number;
  concurrencyOf?: Readonly<Record<CheckTypeName, number>>;
}

export interface Workers {
  /** Takes the runs of a region. @returns ends those in flight without results, and waits for results being stored */
  begin: (place: RegionWork) => () => Promise<void>;
  /** stores their results */
  stored: Batches;
  stop: () => void;
}

/** Workers that take the runs of regions, one for each, and store their results. */
export const createWorkers = (options: WorkersOptions): Workers => {
  const { config, results, keys, files, secretsOf, link, runners, onDemand } = options;
  const { endedProcesses, clock, metrics, logger } = options;
  const troubles = createRunTroubles(logger, clock);
  // Half of the results that a region may have waiting: the runs they delay could produce more.
  const limits = { enough: Math.ceil(config.runnerConcurrency / 2) };
  const stored = createBatches({ log: results, after: clock.after, limits });

  return {
    stored,
    begin: ({ region, probes, queue, server, anchors, concurrency, concurrencyOf }) => {
      const worker = createWorker({
        region,
        server,
        probes,
        queue,
        results: stored,
        keys,
        ...(files && { files }),
        secretsOf,
        clock,
        concurrency,
        ...(concurrencyOf && { concurrencyOf }),
        runners,
        ...onDemand,
        ...(endedProcesses && { endedProcesses }),
        ...(anchors && { anchors }),
        wanted: link.wanted,
        finished: link.finished,
        observe: {
          ...metrics.worker(region),
          trouble: (run, error) => {
            metrics.worker(region).trouble(run, error);
            troubles.report({ run_id: run.run_id, region: region.id }, error);
          },
        },
      });
      const detach = link.attachWorker(worker);
      worker.start();
      return async () => {
        await worker.stop();
        detach();
      };
    },
    stop: troubles.stop,
  };
};
