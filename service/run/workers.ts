import { networkInterfaces } from 'node:os';
import type { Logger } from 'pino';
import type { CheckServer } from '../../domain/check-result/events.ts';
import type { LiveRunners, Region } from '../../domain/check/regions.ts';
import { derivedId } from '../../domain/identity.ts';
import type { Clock } from '../../network/clock.ts';
import type { Probes } from '../../runners/probes.ts';
import { createWorker, type WorkerDependencies } from '../../runners/worker/worker.ts';
import { createBatches } from '../../stores/event-store/batches.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { Keys } from '../../stores/keys/port.ts';
import type { WorkQueue } from '../../stores/work-queue/port.ts';
import type { Config } from '../config/config.ts';
import type { CheckMetrics } from '../metrics/metrics.ts';
import type { RunLink } from './run-link.ts';
import { createRunTroubles } from '../../runners/worker/run-troubles.ts';

export interface WorkersOptions {
  config: Pick<Config, 'runnerConcurrency'>;
  /** distinguishes this runner from others: the ids of its servers follow from it */
  identity: string;
  /** regions whose checks this process runs */
  regions: readonly Region[];
  probes: Probes;
  queue: WorkQueue;
  results: EventStore;
  keys: Keys;
  files?: WorkerDependencies['files'];
  secretsOf: WorkerDependencies['secretsOf'];
  link: RunLink;
  /** what the runners of all processes can do */
  runners: Pick<LiveRunners, 'abilities'>;
  /** what is also done for runs on demand */
  onDemand: Pick<WorkerDependencies, 'began' | 'outdated'>;
  endedProcesses?: WorkerDependencies['endedProcesses'];
  /** null where none are configured */
  anchors: WorkerDependencies['anchors'] | null;
  /** what all processes agree on */
  clock: Clock;
  metrics: CheckMetrics;
  logger: Logger;
}

/**
 * Takes the runs of regions, each with its own worker, and stores their results.
 *
 * @returns ends the runs in flight without results, and waits for results that are being stored
 */
export const startWorkers = (options: WorkersOptions): (() => Promise<void>) => {
  const {
    config,
    identity,
    regions,
    probes,
    queue,
    results,
    keys,
    files,
    secretsOf,
    link,
    runners,
    onDemand,
    endedProcesses,
    anchors,
    clock,
    metrics,
    logger,
  } = options;
  const troubles = createRunTroubles(logger, clock);
  const { runnerConcurrency: concurrency } = config;
  // Half of the results that a region may have waiting: the runs they hold up could bring more.
  const limits = { enough: Math.ceil(concurrency / 2) };
  const gathered = createBatches({ log: results, after: clock.after, limits });
  const workers = regions.map((region) =>
    createWorker({
      region,
      server: serverOf(region, identity),
      probes,
      queue,
      results: gathered,
      keys,
      ...(files && { files }),
      secretsOf,
      clock,
      concurrency,
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
          troubles.tell({ run_id: run.run_id, region: region.id }, error);
        },
      },
    }),
  );
  for (const worker of workers) {
    link.attachWorker(worker);
    worker.start();
  }
  return async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    troubles.stop();
  };
};

/** This machine as results name it: one server per region, since that is what people distinguish. */
const serverOf = (region: Region, identity: string): CheckServer => ({
  id: derivedId(`check server ${identity} ${region.id}`),
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
