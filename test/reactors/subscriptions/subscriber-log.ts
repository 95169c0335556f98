import { createHandle } from '../../../commands/engine/handle.ts';
import type { EventData, EventOf } from '../../../domain/event-types.ts';
import { streamOf } from '../../../domain/decider.ts';
import type { RecordedEvent } from '../../../domain/event.ts';
import { derivedUuid } from '../../../domain/identity.ts';
import type { Sealed } from '../../../domain/sealed.ts';
import { systemEvent } from '../../../domain/system-event.ts';
import { instantOf } from '../../../domain/time.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { createMemoryKeys } from '../../../stores/keys/memory.ts';
import { SUBSCRIBER, subscriberAdded } from '../../domain/subscriber/examples.ts';

export const ORGANIZATION = 'org000000001';

/** Creates a log with the events of one subscriber, whose address is really encrypted. */
export const subscribedLog = () => {
  const store = createMemoryEventStore('main');
  const keys = createMemoryKeys();
  const time = { now: Date.parse('2026-11-20T15:00:00Z') };
  const stream = streamOf('subscriber', SUBSCRIBER);
  let appended = 0;
  const append = async (event: EventOf<`Subscriber${string}` & keyof EventData>): Promise<void> => {
    const id = derivedUuid(`append ${appended++}`);
    const by = { id, by: 'test', organizationId: ORGANIZATION, causeId: id, now: instantOf(time.now) };
    await store.append(stream, [systemEvent(event, by)], 'any');
  };
  const seal = (field: string, text: string, number = 1): Promise<Sealed> =>
    keys.seal(`subscriber-${SUBSCRIBER}-${number}`, text, { organizationId: ORGANIZATION, field });
  const events = async (): Promise<readonly RecordedEvent[]> => store.readStream(stream);
  return {
    store,
    keys,
    time,
    append,
    seal,
    subscribe: async (address: string, more: Partial<EventData['SubscriberAdded']> = {}): Promise<void> => {
      await append(subscriberAdded({ address: await seal('address', address, more.number), ...more }));
    },
    /** Creates the handle of a newly started process. */
    handle: () => createHandle({ store, clock: () => time.now }),
    events,
    types: async () => (await events()).map(({ type }) => type),
  };
};
