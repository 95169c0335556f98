import { randomBytes, randomUUID } from 'node:crypto';
import { Type } from '@sinclair/typebox';
import type { EventDefinitions, NewEvent, RecordedEvent } from '../../../domain/event.ts';
import type { KnownEvents } from '../../../stores/event-store/checked.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';

const Shipment = { version: 1, data: Type.Object({ number: Type.Number() }) };

/**
 * The event types of the contract, in two categories and the category of the log itself. Adapters behind `checked` need
 * these schemas.
 */
const catalogue = {
  log: { ShipLoaded: Shipment },
  ship: { ShipLoaded: Shipment, ShipSailed: Shipment },
  harbour: { HarbourOpened: Shipment },
} satisfies Record<string, EventDefinitions>;

export const contractEvents: KnownEvents = {
  catalogue,
  definitionOf: (type) => new Map<string, typeof Shipment>(Object.values(catalogue).flatMap(Object.entries)).get(type),
  upcasters: {},
};

/** Returns the name of a new stream. Each test needs its own, because the log under test can contain other streams. */
export const newStream = (category: 'ship' | 'harbour' = 'ship'): string =>
  `${category}-${randomBytes(8).toString('hex')}`;

export const event = (number = 0, more: object = {}, type = 'ShipLoaded'): NewEvent => ({
  id: randomUUID(),
  type,
  data: { number, ...more },
  metadata: {
    $correlationId: randomUUID(),
    $causationId: randomUUID(),
    command_id: randomUUID(),
    actor: { kind: 'api_key', id: 'k3y', role: 'editor' },
    organization_id: 'o7g',
    recorded_at: '2026-11-20T15:04:05.123000',
    schema_version: 1,
  },
});

export const events = (count: number, from = 0): NewEvent[] =>
  Array.from({ length: count }, (_, index) => event(from + index));

export const harbourEvent = (number = 0): NewEvent => event(number, {}, 'HarbourOpened');

/** Returns the ids of events, for comparisons. */
export const ids = (list: readonly { id: string }[]): string[] => list.map(({ id }) => id);

/** Appends an event, and returns its position as the current end of the log under test. */
export const logEnd = async (store: EventStore): Promise<bigint> =>
  (await store.append(newStream(), [event()], 'no_stream')).position;

/** Returns all events after a position, read page by page. */
export const everythingAfter = async (
  store: EventStore,
  after: bigint,
  options: { limit?: number; categories?: readonly string[] } = {},
): Promise<RecordedEvent[]> => {
  const all: RecordedEvent[] = [];
  for (;;) {
    const page = await store.readAll({ ...options, after: all.at(-1)?.position ?? after });
    if (page.length === 0) return all;
    all.push(...page);
  }
};

/** Reads arrays from a subscription until it has delivered `count` events, and then ends the subscription. */
export const takeEvents = async (
  store: EventStore,
  count: number,
  options: {
    after: bigint;
    categories?: readonly string[];
    onPage?: (page: readonly RecordedEvent[]) => Promise<void>;
  },
): Promise<RecordedEvent[]> => {
  const ending = new AbortController();
  const received: RecordedEvent[] = [];
  const { onPage, ...from } = options;
  for await (const page of store.subscribe({ ...from, signal: ending.signal })) {
    received.push(...page);
    await onPage?.(page);
    if (received.length >= count) ending.abort();
  }
  return received;
};
