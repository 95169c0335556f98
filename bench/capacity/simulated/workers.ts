import type { CheckServer } from '../../../domain/check-result/events.ts';
import type { Region } from '../../../domain/check/regions.ts';
import { derivedId } from '../../../domain/identity.ts';
import type { Probes } from '../../../runners/probes.ts';
import { messageOf } from '../../../runners/run-message.ts';
import type { Scheduler } from '../../../runners/scheduler/scheduler.ts';
import { createWorker, type Worker } from '../../../runners/worker/worker.ts';
import { createBatches, type BatchesOptions } from '../../../stores/event-store/batches.ts';
import { createMemoryKeys } from '../../../stores/keys/memory.ts';
import type { QueuedRun, WorkQueue } from '../../../stores/work-queue/port.ts';
import { countLost } from './observations.ts';
import { clockOf, costOfBatch, pauseOf, type Stage } from './stage.ts';

export interface WorkersOptions {
  queue: WorkQueue;
  log: BatchesOptions['log'];
  regions: readonly Region[];
  schedulerOf: (checkId: string) => Scheduler;
  /** number of concurrent runs of each worker */
  places: number;
  /** returns pseudo-random numbers from 0 to 1 */
  random: () => number;
  /** CPU time of a worker process per run in milliseconds, before and after the request to the target */
  costOfRun: { before: number; after: number };
}

/**
 * Response times of targets in milliseconds: `least` to `most` for most runs, and `slow` for the fraction `slowShare`.
 */
const ANSWER_MS = { least: 20, most: 200, slow: 2_000, slowShare: 0.01 };

const answerTime = (random: () => number): number => {
  const { least, most, slow, slowShare } = ANSWER_MS;
  return random() < slowShare ? slow : least + random() * (most - least);
};

const serverOf = ({ id, country }: Region): CheckServer => ({
  id: derivedId(`check server ${id}`),
  country,
  region: id,
  ip_address: '192.0.2.1',
  server_metadata: { provider: 'self-hosted' },
});

const checkIdOf = (run: QueuedRun): string => messageOf(run).check_id ?? '';

/** Starts a worker in each process of `run`. The processes are spread over the regions. */
export const startWorkers = (stage: Stage, options: WorkersOptions): Worker[] =>
  Array.from({ length: stage.parts.run.processes }, (_, index) => startWorker(stage, options, index));

const startWorker = (stage: Stage, options: WorkersOptions, index: number): Worker => {
  const { parts, clock, observations } = stage;
  const { queue, log, regions, schedulerOf, places, random, costOfRun } = options;
  const process = stage.process(parts.run, index);
  const region = regions[index % regions.length];
  if (!region) throw new Error('There is no region.');
  /** slots of the current runs, by check */
  const slots = new Map<string, number>();
  let turn = index;

  const probes: Probes = {
    types: ['web'],
    run: async (_check, { about }) => {
      await process.work(costOfRun.before);
      await stage.process(parts.probes, turn).work(parts.probes.cost.each);
      turn += parts.run.processes;
      if (observations.measuring) observations.lateness.push(clock.now() - (slots.get(about) ?? Number.NaN));
      slots.delete(about);
      const time = answerTime(random);
      await pauseOf(clock, time);
      await process.work(costOfRun.after);
      return { status: 'ok', reason: null, response_time: Math.round(time), error_message: null, check_metadata: {} };
    },
  };
  const appending: BatchesOptions['log'] = {
    ...log,
    append: async (...parameters) => {
      await process.work(costOfBatch(parts.run));
      return log.append(...parameters);
    },
  };
  const worker = createWorker({
    region,
    server: () => serverOf(region),
    probes,
    queue,
    // The same configuration as in service/run/workers.ts.
    results: createBatches({ log: appending, after: clock.after, limits: { enough: Math.ceil(places / 2) } }),
    keys: createMemoryKeys(),
    secretsOf: async () => [],
    clock: clockOf(clock, process),
    concurrency: places,
    wanted: (run, asked) => {
      const checkId = checkIdOf(run);
      return schedulerOf(checkId).wants(checkId, run.run_id, asked === 'store');
    },
    began: async (run) => {
      slots.set(checkIdOf(run), messageOf(run).slot);
    },
    finished: (run) => {
      const checkId = checkIdOf(run);
      schedulerOf(checkId).finished(checkId, run.run_id);
    },
    observe: {
      stored: () => {
        if (observations.measuring) observations.stored += 1;
      },
      dropped: (reason) => {
        countLost(observations, reason);
      },
      trouble: (_run, error) => {
        throw error;
      },
    },
  });
  worker.start();
  return worker;
};
