import { setTimeout as sleep } from 'node:timers/promises';
import type { CheckResultEvent } from '../domain/check-result/events.ts';
import { regionOf } from '../domain/check/regions.ts';
import type { Credits } from '../domain/credits/credits.ts';
import { checks } from '../projections/checks/projection.ts';
import { markLog } from '../projections/engine/log-marks.ts';
import type { Readers } from '../projections/engine/readers.ts';
import { messageOf } from '../runners/run-message.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import { isUnderWay, type LinkedScheduler, type RunLink } from './run-link.ts';
import { sameDefinition } from './same-definition.ts';

/** Before the log of results is asked for again, milliseconds. */
const RETRY_MS = 1_000;

export interface ClusterLinkOptions {
  results: EventStore;
  readers: Pick<Readers, 'for'>;
  credits: Pick<Credits, 'settle'>;
  /** told when the results can't be followed, which is tried again; until then runs count as under way until they time out */
  failed: (error: unknown) => void;
}

/**
 * Scheduler and workers in different processes: a worker asks the read model what a check is now, and the
 * scheduler sees in the results log which runs are done. A run in flight is not called back; its result is
 * not stored.
 */
export const createClusterLink = ({ results, readers, credits, failed }: ClusterLinkOptions): RunLink => {
  const read = readers.for({ appended: new Map() });

  const follow = async (scheduler: LinkedScheduler, signal: AbortSignal): Promise<void> => {
    // What was offered before this scheduler began is not in its schedule.
    const after = await markLog(results, Date.now());
    for await (const events of results.subscribe({ after, categories: ['check_results'], signal })) {
      for (const { data } of events as unknown as CheckResultEvent[]) {
        const region = regionOf(data.region)?.aliases[0] ?? data.region;
        credits.settle(data.run_id, region, 'stored');
        if (data.check_id !== undefined) scheduler.finished(data.check_id, data.run_id);
      }
    }
  };

  /** The log may be gone just when a scheduler takes over. What is stored until it answers is not seen. */
  const keepFollowing = async (scheduler: LinkedScheduler, signal: AbortSignal): Promise<void> => {
    const trouble = (error: unknown): void => {
      if (!signal.aborted) failed(error);
    };
    while (!signal.aborted) {
      await follow(scheduler, signal).catch(trouble);
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  };

  return {
    wanted: async (run, asked) => {
      const { check_id, result_type, definition } = messageOf(run);
      if (check_id === null || result_type === 'on_demand') return true;
      const check = await read(checks).checks.get(check_id);
      if (!check || check.deleted_at !== null || check.parked_at !== null) return false;
      return (check.active || isUnderWay(run, asked)) && sameDefinition(check, definition);
    },
    finished: () => undefined,
    cancel: () => undefined,
    attachScheduler: (scheduler) => {
      const stop = new AbortController();
      const following = keepFollowing(scheduler, stop.signal);
      return async () => {
        stop.abort();
        await following;
      };
    },
    attachWorker: () => undefined,
  };
};
