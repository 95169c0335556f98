import { streamOf } from '../../domain/decider.ts';
import { shardOf } from '../../domain/execution-group/events.ts';
import { derivedUuid } from '../../domain/identity.ts';
import { systemEvent } from '../../domain/system-event.ts';
import { instantOf } from '../../domain/time.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { createBatches } from '../worker/batches.ts';
import type { Clock } from '../../network/clock.ts';
import type { RunInFlight } from './follow.ts';

const NAME = 'scheduler';

export interface CancelGroupDependencies {
  /** the results log */
  log: Pick<EventStore, 'append' | 'readStream'>;
  clock: Pick<Clock, 'now' | 'after'>;
  /** A group could not be taken back; it will time out. */
  trouble?: (error: unknown) => void;
}

/**
 * Takes back groups of runs that were cancelled since their checks were changed: what some regions answered stays,
 * and nobody waits for the others.
 */
export const createCancelGroup = ({ log, clock, trouble }: CancelGroupDependencies) => {
  const batches = createBatches(log, clock);
  return ({ runId, checkId, organizationId, groupId }: RunInFlight & { groupId: string }): void => {
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
    batches.store(streamOf('execution_groups', shardOf(groupId)), cancelled).catch((error: unknown) => {
      trouble?.(error);
    });
  };
};
