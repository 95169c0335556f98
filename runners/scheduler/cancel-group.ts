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
  /** Called if a group could not be cancelled. The group will time out instead. */
  trouble?: (error: unknown) => void;
}

/**
 * Cancels the group of a multi-region run whose check was changed. Results that regions have already reported remain
 * stored. The results of the other regions are no longer awaited.
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
