import { derivedUuid } from '../../domain/identity.ts';
import { followedUntil } from '../../domain/subscriber/retention-periods.ts';
import { reactorContext } from '../../commands/engine/context.ts';
import { incidents } from '../../projections/incidents/projection.ts';
import { subscribers } from '../../projections/subscribers/projection.ts';
import { defineReactor } from '../engine/define.ts';
import { done } from '../engine/item-result.ts';
import { dueElsewhere } from '../engine/list-declarations.ts';
import { removeSubscribers, type NumberedSubscriber } from './remove.ts';

export const ENDED_INCIDENTS = 'ended-incident-subscriptions';

/** Number of incidents handled concurrently. The subscriptions to one incident are removed one at a time. */
const AT_ONCE = 4;

/**
 * Removes the subscriptions to an incident seven days after the incident was resolved, and deletes their addresses. If
 * the removal is interrupted, the next attempt removes the remaining subscriptions.
 */
export const endedIncidents = defineReactor({
  name: ENDED_INCIDENTS,
  does: 'removes the subscriptions to an incident seven days after it is resolved',
  countsEarlier: true,
  list: dueElsewhere(incidents, 'ended_incidents', { atOnce: AT_ONCE }),
  act: async (item, { handle, keys, sure, now, signal }) => {
    const { id: incident_id, organization_id: organizationId, changed_position } = item;
    // If the incident does not exist, the subscriptions to it are removed, too.
    const incident = await sure(incidents).incidents.get(incident_id);
    // Skip an incident that was reopened, or resolved again, after the item was read. If necessary, the list contains a
    // new item.
    if (incident && (incident.resolved_at === null || followedUntil(incident.resolved_at) > now)) return done();
    const removing = {
      find: (after: string | null, limit: number) =>
        sure(subscribers).subscribers.find({
          where: { incident_id, ...(after !== null && { id: { $gt: after } }) },
          sort: { id: 1 },
          limit,
        }),
      reason: 'incident_ended' as const,
      contextOf: ({ id }: NumberedSubscriber) => {
        const commandId = derivedUuid(`${ENDED_INCIDENTS}/${incident_id}/${changed_position}/${id}`);
        return reactorContext(ENDED_INCIDENTS, { organizationId, commandId, now });
      },
      atOnce: 1,
      signal,
    };
    await removeSubscribers({ handle, keys }, removing);
    return done();
  },
});
