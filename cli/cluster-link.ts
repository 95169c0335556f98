import type { CheckResultEvent } from '../domain/check-result/events.ts';
import { regionOf } from '../domain/check/regions.ts';
import type { Credits } from '../domain/credits/credits.ts';
import { checks } from '../projections/checks/projection.ts';
import { canonicalJson } from '../projections/engine/canonical.ts';
import { markLog } from '../projections/engine/log-marks.ts';
import type { Readers } from '../projections/engine/readers.ts';
import { messageOf, type RunMessage } from '../runners/run-message.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import type { LinkedScheduler, RunLink } from './run-link.ts';

export interface ClusterLinkOptions {
  results: EventStore;
  readers: Pick<Readers, 'for'>;
  credits: Pick<Credits, 'settle'>;
  /** told when the results could not be followed; the scheduler then waits until a run can't be under way any more */
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

  return {
    wanted: async (run) => {
      const { check_id, result_type, definition } = messageOf(run);
      if (check_id === null || result_type === 'on_demand') return true;
      const check = await read(checks).checks.get(check_id);
      if (!check?.active || check.deleted_at !== null) return false;
      return sameDefinition(check, definition);
    },
    finished: () => undefined,
    cancel: () => undefined,
    attachScheduler: (scheduler) => {
      const stop = new AbortController();
      const following = follow(scheduler, stop.signal).catch((error: unknown) => {
        if (!stop.signal.aborted) failed(error);
      });
      return async () => {
        stop.abort();
        await following;
      };
    },
    attachWorker: () => undefined,
  };
};

/** Whether a run of the one tells something about the other. */
const sameDefinition = (check: RunMessage['definition'], definition: RunMessage['definition']): boolean => {
  const ofRun = ({ type, url, host, port, timeout, parameters }: RunMessage['definition']): string =>
    canonicalJson({ type, url, host, port, timeout, parameters });
  return ofRun(check) === ofRun(definition);
};
