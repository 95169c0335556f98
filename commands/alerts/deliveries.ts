import { retryDelivery } from '../../domain/delivery/decide.ts';
import { shardOf } from '../../domain/delivery/events.ts';
import type { Delivery } from '../../domain/delivery/state.ts';
import { streamOf } from '../../domain/decider.ts';
import { derivedUuid } from '../../domain/identity.ts';
import { systemEvent } from '../../domain/system-event.ts';
import type { Instant } from '../../domain/time.ts';
import type { Appended, EventStore } from '../../stores/event-store/port.ts';

/** Dependencies of commands on deliveries, which are recorded in the log `results`. */
export interface DeliveryDependencies {
  results: Pick<EventStore, 'append'>;
}

/**
 * Restarts a delivery that failed permanently. Until the read models show the restart, further requests have no effect.
 *
 * @param delivery document of a read model
 * @param by name of the part of the service that requests the retry
 * @throws IllegalState if the delivery has not failed permanently
 */
export const restartDelivery =
  ({ results }: DeliveryDependencies) =>
  async (delivery: Delivery, { by, now }: { by: string; now: Instant }): Promise<Appended> => {
    const { id, organization_id: organizationId, cause, retries } = delivery;
    const event = systemEvent(retryDelivery(delivery, now), {
      id: derivedUuid(`delivery/${id}/retry/${retries + 1}`),
      by,
      organizationId,
      causeId: cause.id,
      now,
    });
    return results.append(streamOf('deliveries', shardOf(delivery)), [event], 'any');
  };
