import { streamOf } from '../../domain/decider.ts';
import { shardOf } from '../../domain/execution-group/events.ts';
import { derivedUuid } from '../../domain/identity.ts';
import { systemEvent } from '../../domain/system-event.ts';
import { instantOf } from '../../domain/time.ts';
import type { Batches } from '../../stores/event-store/port.ts';
import type { Clock } from '../../network/clock.ts';
import type { RunInFlight } from './follow-checks.ts';

const NAME = 'scheduler';

export interface CancelGroupDependencies {
  /** stores the ends of groups in the results log */
  results: Batches;
  clock: Pick<Clock, 'now'>;
  /** A group could not be cancelled; it will time out. */
  trouble?: (error: unknown) => void;
}

/**
 * Cancels groups of runs whose checks were changed: the results of regions that have already reported remain, and the
 * others are no longer awaited.
 */
export const createCancelGroup =
  ({ results, clock, trouble }: CancelGroupDependencies) =>
  ({ runId, checkId, organizationId, groupId }: RunInFlight & { groupId: string }): void => {
    const cancelled = systemEvent(
      {
        type: 'ExecutionGroupCancelled',
        data: { execution_group_id: groupId, check_id: checkId, organization_id: organizationId },
      },
      {
        id: derivedUuid(`execution group cancelled/${groupId}`),
        by: NAME,
        organizationId,
        causeId: runId,
        now: instantOf(clock.now()),
      },
    );
    results.store(streamOf('execution_groups', shardOf(groupId)), cancelled).catch((error: unknown) => {
      trouble?.(error);
    });
  };
