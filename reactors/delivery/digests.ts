import { noteAppended, type Noted } from '../../commands/engine/appended.ts';
import { streamOf } from '../../domain/decider.ts';
import { digestDeliveries, LONGEST_GATHERING_MS, MOST_IN_A_DIGEST } from '../../domain/delivery/digest.ts';
import { shardOf } from '../../domain/delivery/events.ts';
import { derivedUuid } from '../../domain/identity.ts';
import { systemEvent } from '../../domain/system-event.ts';
import type { DueDigestDocument, HeldDeliveryDocument } from '../../projections/deliveries/digests.ts';
import type { CollectionReader } from '../../projections/readers.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { dueWork, type DueContext } from '../engine/due.ts';
import { done, type Ending } from '../engine/ending.ts';
import type { DueList, TodoProjection } from '../engine/lists.ts';
import type { Reactor } from '../engine/loop.ts';

export const DIGESTS = 'digests';

/** Digests of different receivers made at once. */
const AT_ONCE = 8;

export interface DigestsDependencies {
  /** the results log */
  results: Pick<EventStore, 'name' | 'append'>;
  list: (context: { appended: Noted }) => DueList<DueDigestDocument>;
  held: (context: { appended: Noted }) => Pick<CollectionReader<HeldDeliveryDocument>, 'find'>;
  todo: TodoProjection;
}

/**
 * Makes one message of those that are held for a receiver, some seconds after the first of them; also of what was held
 * before it was first active. A digest that is made again, as its append was not answered, has the same ids.
 */
export const digestsReactor = (dependencies: DigestsDependencies): Reactor => ({
  name: DIGESTS,
  countsEarlier: true,
  todo: dependencies.todo,
  work: dueWork(DIGESTS, dependencies.todo, dependencies.list, digestHeld(dependencies), {
    atOnce: AT_ONCE,
    longest: LONGEST_GATHERING_MS,
  }),
});

const digestHeld =
  ({ results, held }: DigestsDependencies) =>
  async (item: DueDigestDocument, { now, appended }: DueContext): Promise<Ending> => {
    const { organization_id: organizationId, receiver_id, notifier, target } = item;
    const waiting = await held({ appended }).find({
      where: { receiver_id, digest_id: null },
      sort: { planned_position: 1 },
      limit: MOST_IN_A_DIGEST,
    });
    const [first] = waiting;
    // What retention has removed is told to nobody.
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
    noteAppended(appended, results.name, [made], position);
    return done();
  };
