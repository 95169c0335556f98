import { eventTypes, definitionOf, RESULT_CATEGORIES } from '../../domain/event-types.ts';
import { categoryOf } from '../../domain/decider.ts';
import type { EventDefinition, NewEvent, RecordedEvent } from '../../domain/event.ts';
import { withStoredForm } from '../../domain/log/stored-forms.ts';
import { upcast, upcasters, type Upcasters } from '../../domain/upcasters.ts';
import { InvalidEvent, UnknownEvent, type EventStore } from './port.ts';
import { createValidation } from './validation.ts';

/** The known event definitions; default: all definitions in `domain/`. */
export interface KnownEvents {
  /** definitions by category and type */
  catalogue: Readonly<Record<string, Readonly<Record<string, EventDefinition>>>>;
  definitionOf: (type: string) => EventDefinition | undefined;
  upcasters: Upcasters;
}

/**
 * Wraps a log so that it accepts and returns known events only. An append validates each event's schema, category and
 * log. A read upcasts each event to the current version of its type. An event of a replaced type is read as it is: only
 * folds replace it (domain/replaced-events.ts).
 *
 * A stored event of an unknown type or version ends a read. `readAll` and `subscribe` first return the events before
 * the unknown one, and throw UnknownEvent at the next read. So a reader that folds a log stops exactly before the
 * unknown event. `readStream` throws immediately. To read events as they are stored, use the adapter.
 *
 * Besides the adapter's errors, `append` throws InvalidEvent.
 */
export const createCheckedStore = (
  store: EventStore,
  known: KnownEvents = { catalogue: eventTypes, definitionOf, upcasters },
): EventStore => {
  const validate = createValidation();

  const check = (stream: string, { type, data, metadata }: NewEvent): void => {
    const category = categoryOf(stream);
    const definition = known.catalogue[category]?.[type];
    if (!definition) throw new InvalidEvent(type, [`streams of the category ${category} can't hold it`]);
    if (definition.replacedBy) throw new InvalidEvent(type, ['it is only read since it was replaced']);
    const log = RESULT_CATEGORIES.includes(category) ? 'results' : 'main';
    if (category !== 'log' && store.name !== log) throw new InvalidEvent(type, [`it belongs in the log ${log}`]);
    if (metadata.schema_version !== definition.version) {
      throw new InvalidEvent(type, [`its version is ${definition.version}, not ${metadata.schema_version}`]);
    }
    const broken = validate(definition, data);
    if (broken.length > 0) throw new InvalidEvent(type, broken);
  };

  /** Returns the event upcast to the current version; null if its type or version is unknown. */
  const current = (event: RecordedEvent): RecordedEvent | null => {
    const definition = known.definitionOf(event.type);
    const from = event.metadata.schema_version;
    if (definition?.version === from) return event;
    if (!definition || from > definition.version) return null;
    const data = upcast(event.type, event.data, from, definition.version, known.upcasters);
    if (!data) return null;
    const metadata = { ...event.metadata, schema_version: definition.version };
    return withStoredForm({ data, metadata }, event);
  };

  /** Returns the events before the first unknown event, and that unknown event. */
  const upToUnknown = (events: RecordedEvent[]): { events: RecordedEvent[]; unknown: RecordedEvent | null } => {
    const read: RecordedEvent[] = [];
    for (const event of events) {
      const known = current(event);
      if (!known) return { events: read, unknown: event };
      read.push(known);
    }
    return { events: read, unknown: null };
  };

  return {
    name: store.name,

    append: async (stream, events, expected) => {
      for (const event of events) check(stream, event);
      return store.append(stream, events, expected);
    },

    first: async () => {
      const first = await store.first();
      const known = first && current(first);
      if (first && !known) throw new UnknownEvent(first);
      return known;
    },

    readStream: async (stream, options) => {
      const { events, unknown } = upToUnknown(await store.readStream(stream, options));
      if (unknown) throw new UnknownEvent(unknown);
      return events;
    },

    readAll: async (options) => {
      const { events, unknown } = upToUnknown(await store.readAll(options));
      if (unknown && events.length === 0) throw new UnknownEvent(unknown);
      return events;
    },

    subscribe: (options) => lookupOf(store.subscribe(options), upToUnknown),

    health: () => store.health(),
    close: () => store.close(),
  };
};

async function* lookupOf(
  pages: AsyncIterable<RecordedEvent[]>,
  upToUnknown: (page: RecordedEvent[]) => { events: RecordedEvent[]; unknown: RecordedEvent | null },
): AsyncGenerator<RecordedEvent[], void, undefined> {
  for await (const page of pages) {
    const { events, unknown } = upToUnknown(page);
    if (events.length > 0) yield events;
    if (unknown) throw new UnknownEvent(unknown);
  }
}
