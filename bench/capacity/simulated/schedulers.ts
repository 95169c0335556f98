import type { Credits } from '../../../domain/credits/credits.ts';
import type { Region } from '../../../domain/check/regions.ts';
import { createScheduler, type Scheduler } from '../../../runners/scheduler/scheduler.ts';
import type { CheckSource, ScheduledCheck } from '../../../runners/scheduler/check-source.ts';
import { createStartRun } from '../../../runners/scheduler/start-run.ts';
import { createBatches, type BatchesOptions } from '../../../stores/event-store/batches.ts';
import type { WorkQueue } from '../../../stores/work-queue/port.ts';
import { ORGANIZATION } from '../../tools/result-samples.ts';
import { countLost } from './observations.ts';
import { clockOf, type Stage } from './stage.ts';

export interface SchedulersOptions {
  queue: WorkQueue;
  log: BatchesOptions['log'];
  /** regions; the runs are spread evenly over them */
  regions: readonly Region[];
  /** ids of the checks */
  ids: readonly string[];
  /** interval of the checks in seconds */
  interval: number;
  /** CPU time that offering a run takes, in milliseconds */
  costOfRun: number;
}

const UNLIMITED: Credits = { canPay: () => true, charge: () => undefined, settle: () => undefined };

const checkOf = (id: string, interval: number): ScheduledCheck => ({
  id,
  organization_id: ORGANIZATION,
  type: 'web',
  active: true,
  interval,
  timeout: 10,
  url: 'https://shop.example/',
  host: null,
  port: null,
  parameters: {},
  status: 'up',
  parked_at: null,
  group_id: null,
});

const PAGE = 1_000;

/** Returns a source that provides these checks to a scheduler, in place of a read model. */
const sourceOf = (ids: readonly string[], interval: number): CheckSource => {
  let next = 0;
  return {
    position: async () => 0n,
    pausedGroups: async () => new Set(),
    page: async (after) => {
      if (after === null) next = 0;
      const page = ids.slice(next, next + PAGE);
      next += page.length;
      return page.map((id) => checkOf(id, interval));
    },
    get: async (wanted) => wanted.map((id) => checkOf(id, interval)),
  };
};

/** The log from which schedulers learn of changed checks. Nothing is appended to it. */
const quietLog = {
  subscribe: async function* ({ signal }: { signal: AbortSignal }): AsyncGenerator<never[]> {
    await new Promise((resolve) => {
      signal.addEventListener('abort', resolve, { once: true });
    });
  },
};

/**
 * Starts the schedulers of a deployment, each with its partition of the checks.
 *
 * @returns a function that returns the scheduler of a check
 */
export const startSchedulers = async (
  { parts, clock, observations, process: processOf }: Stage,
  { queue, log, regions, ids, interval, costOfRun }: SchedulersOptions,
): Promise<(checkId: string) => Scheduler> => {
  const { processes } = parts.schedule;
  const schedulerOf = new Map<string, Scheduler>();
  const results = createBatches({ log, after: clock.after });
  const starts = regions.map((defaultRegion) =>
    createStartRun({ queue, results, clock, credits: UNLIMITED, defaultRegion }),
  );
  for (let index = 0; index < processes; index++) {
    const process = processOf(parts.schedule, index);
    const own = ids.filter((_, check) => check % processes === index);
    let turn = index;
    const scheduler = createScheduler({
      checks: sourceOf(own, interval),
      log: quietLog,
      startRun: async (run) => {
        await process.work(costOfRun);
        const start = starts[turn++ % starts.length];
        if (!start) throw new Error('There is no region.');
        return start(run);
      },
      credits: UNLIMITED,
      clock: clockOf(clock, process),
      observe: {
        skipped: (reason, runs) => {
          countLost(observations, reason, runs);
        },
        trouble: (error) => {
          throw error;
        },
      },
    });
    for (const id of own) schedulerOf.set(id, scheduler);
    await scheduler.start();
  }
  return (checkId) => {
    const scheduler = schedulerOf.get(checkId);
    if (!scheduler) throw new Error(`The check ${checkId} has no scheduler.`);
    return scheduler;
  };
};
