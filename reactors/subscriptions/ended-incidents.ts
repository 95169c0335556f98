import { derivedUuid } from '../../domain/identity.ts';
import { followedUntil } from '../../domain/subscriber/times.ts';
import { reactorContext } from '../../commands/engine/context.ts';
import type { CommandDependencies } from '../../commands/dependencies.ts';
import type { EndedIncidentDocument } from '../../projections/incidents/documents.ts';
import { incidents } from '../../projections/incidents/projection.ts';
import type { Read } from '../../projections/readers.ts';
import { subscribers } from '../../projections/subscribers/projection.ts';
import { dueElsewhere } from '../engine/due-elsewhere.ts';
import { done, type Ending } from '../engine/ending.ts';
import type { DueList, TodoProjection } from '../engine/lists.ts';
import type { Reactor } from '../engine/loop.ts';
import type { ItemContext } from '../engine/work.ts';
import { removeSubscribers } from './remove.ts';

export const ENDED_INCIDENTS = 'ended-incident-subscriptions';

/** Incidents at once; the subscriptions of one are removed one after another. */
const AT_ONCE = 4;

export interface EndedIncidentsDependencies extends Pick<CommandDependencies, 'handle' | 'keys'> {
  read: Read;
  list: DueList<EndedIncidentDocument>;
  todo: TodoProjection;
}

/** Removes the subscriptions to an incident seven days after its end, and forgets their addresses. */
export const endedIncidentsReactor = ({ list, todo, ...dependencies }: EndedIncidentsDependencies): Reactor => ({
  name: ENDED_INCIDENTS,
  countsEarlier: true,
  todo,
  work: dueElsewhere(ENDED_INCIDENTS, todo, list, endSubscriptions(dependencies), { atOnce: AT_ONCE }),
});

/** Interrupted, it begins anew with those that are left. */
export const endSubscriptions =
  ({ read, ...dependencies }: Pick<EndedIncidentsDependencies, 'handle' | 'keys' | 'read'>) =>
  async (
    { id: incident_id, organization_id: organizationId, changed_position }: EndedIncidentDocument,
    { now, signal }: Pick<ItemContext, 'now' | 'signal'>,
  ): Promise<Ending> => {
    const incident = await read(incidents).incidents.get(incident_id);
    // It was opened again, or ended anew, since it was found: then it stands on the list as it is now, or not at all.
    if (incident && (incident.resolved_at === null || followedUntil(incident.resolved_at) > now)) return done();
    await removeSubscribers(dependencies, {
      find: (after, limit) =>
        read(subscribers).subscribers.find({
          where: { incident_id, ...(after !== null && { id: { $gt: after } }) },
          sort: { id: 1 },
          limit,
        }),
      reason: 'incident_ended',
      contextOf: ({ id }) => {
        const commandId = derivedUuid(`${ENDED_INCIDENTS}/${incident_id}/${changed_position.toString()}/${id}`);
        return reactorContext(ENDED_INCIDENTS, { organizationId, commandId, now });
      },
      atOnce: 1,
      signal,
    });
    return done();
  };
