import { recordAppended } from '../../commands/engine/appended-positions.ts';
import { streamOf } from '../../domain/decider.ts';
import { digestDeliveries, MAX_DIGEST_WAIT_MS, MAX_DIGEST_SIZE } from '../../domain/delivery/digest.ts';
import { shardOf } from '../../domain/delivery/events.ts';
import { derivedUuid } from '../../domain/identity.ts';
import { systemEvent } from '../../domain/system-event.ts';
import { deliveries } from '../../projections/deliveries/projection.ts';
import { defineReactor } from '../engine/define.ts';
import { done } from '../engine/item-result.ts';
import { due } from '../engine/list-declarations.ts';

export const DIGESTS = 'digests';

/** Number of digests that are created concurrently, each for a different receiver. */
const AT_ONCE = 8;

/**
 * Combines the withheld messages to a receiver into a digest, some seconds after the first of them was withheld.
 * Messages that were withheld before the reactor was first active are included. If an append is not confirmed, it is
 * repeated with the same ids.
 */
export const digests = defineReactor({
  name: DIGESTS,
  does: 'combines the messages that exceed a receiver’s limit per minute into a digest',
  countsEarlier: true,
  list: due(deliveries, 'due_digests', { atOnce: AT_ONCE, longest: MAX_DIGEST_WAIT_MS }),
  act: async (item, { results, readers, now, appended }) => {
    const { organization_id: organizationId, receiver_id, notifier, target } = item;
    const waiting = await readers
      .for({ appended })(deliveries)
      .held_deliveries.find({
        where: { receiver_id, digest_id: null },
        sort: { planned_position: 1 },
        limit: MAX_DIGEST_SIZE,
      });
    const [first] = waiting;
    // The retention has removed the messages.
    if (!first) return done();
    const delivery_ids = waiting.map(({ id }) => id);
    const whose = { organization_id: organizationId, receiver_id, notifier, target };
    const event = digestDeliveries({ ...whose, delivery_ids }, now);
    const { cause } = event.data;
    const made = systemEvent(event, {
      id: derivedUuid(`${DIGESTS}/${cause.id}`),
      by: DIGESTS,
      organizationId,
      causeId: first.cause.id,
      now,
    });
    const { position } = await results.append(streamOf('deliveries', shardOf({ cause, series: null })), [made], 'any');
    recordAppended(appended, results.name, [made], position);
    return done();
  },
});
