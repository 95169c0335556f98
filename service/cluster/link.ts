import { regionOf } from '../../domain/check/regions.ts';
import type { Credits } from '../../domain/credits/credits.ts';
import type { Readers } from '../../projections/engine/readers.ts';
import { findCheckOfAny, findRunningChecks } from '../../queries/checks/all-checks.ts';
import { messageOf } from '../../runners/run-message.ts';
import type { LogWatch } from '../../stores/event-store/port.ts';
import { createRecentIds } from '../../domain/recent-ids.ts';
import { isStoredResult } from '../run/stored-result.ts';
import { isUnderWay, type LinkObserver, type RunLink } from '../run/run-link.ts';
import { sameDefinition } from '../../domain/check/same-definition.ts';

export interface ClusterLinkOptions extends LinkObserver {
  /** follows the results log. While that log is unreachable, runs count as under way until they time out */
  results: LogWatch;
  readers: Pick<Readers, 'for'>;
  credits: Pick<Credits, 'settle'>;
}

/**
 * Links a scheduler and workers that are in different processes. A worker asks the read model for the current state of
 * a check. The scheduler learns from the results log which runs are finished. A run in progress can't be cancelled, but
 * its result is not stored. Several results with the same id count as one.
 */
export const createClusterLink = ({ results, readers, credits, repeated }: ClusterLinkOptions): RunLink => {
  const read = readers.for({ appended: new Map() });

  return {
    wanted: async (run, asked) => {
      const { check_id, result_type, definition } = messageOf(run);
      if (check_id === null || result_type === 'on_demand') return true;
      const check = await findCheckOfAny({ read }, check_id);
      if (!check || check.parked_at !== null || !sameDefinition(check, definition)) return false;
      return isUnderWay(run, asked) || (await findRunningChecks({ read }, [check])).length > 0;
    },
    finished: () => undefined,
    cancel: () => undefined,
    // Runs that were offered before this scheduler started are not in its schedule, so no result is awaited for them.
    attachScheduler: (scheduler) => {
      const recent = createRecentIds();
      return results.listen((events) => {
        for (const { id, data } of events.filter(isStoredResult)) {
          if (!recent.add(id)) {
            repeated();
            continue;
          }
          const region = regionOf(data.region)?.aliases[0] ?? data.region;
          credits.settle(data.run_id, region, 'stored');
          if (data.check_id !== undefined) scheduler.finished(data.check_id, data.run_id);
        }
      });
    },
    attachWorker: () => () => undefined,
  };
};
