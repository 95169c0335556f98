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
  /** clock that shows the time on which all processes agree */
  clock: Clock;
  metrics: CheckMetrics;
  logger: Logger;
}

/** How the runs of a region are executed. */
export interface RegionWork {
  region: Region;
  probes: Probes;
  queue: WorkerDependencies['queue'];
  /** returns the machine to be named in results; called for each result */
  server: () => CheckServer;
  /** null if no anchors are configured, or if a remote runner checks its anchors itself */
  anchors: WorkerDependencies['anchors'] | null;
  /** maximum number of concurrent runs of the check types that share a queue */
  concurrency: number;
  concurrencyOf?: Readonly<Record<CheckTypeName, number>>;
}

export interface Workers {
  /**
   * Starts to execute the runs of a region.
   *
   * @returns a function that stops the execution: it ends runs in progress without results, and waits for results that
   * are being stored
   */
  begin: (place: RegionWork) => () => Promise<void>;
  /** stores the results of all workers in batches */
  stored: Batches;
  stop: () => void;
}

/** Creates workers that execute the runs of regions and store their results. Each region has one worker. */
export const createWorkers = (options: WorkersOptions): Workers => {
  const { config, results, keys, files, secretsOf, link, runners, onDemand } = options;
  const { endedProcesses, clock, metrics, logger } = options;
  const troubles = createRunTroubles(logger, clock);
  // A waiting result occupies the slot of its run. So results are stored without further delay when they occupy half of
  // the slots of a region.
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
