import type { DomainEvent, EventDefinition, RecordedEvent, Replacement } from './event.ts';
import { derivedUuid } from './identity.ts';

/*
 * A replaced event type is no longer appended, and folds read other events in place of its stored events. If the type
 * was split, a fold reads several events in place of each stored one. If the type was withdrawn, a fold reads none. The
 * log keeps the stored event. Everything that shows the log itself (history, audit, export) still shows the stored
 * event (docs/develop/change-event.md#split-an-event).
 */

type Definitions = Readonly<Record<string, EventDefinition>>;

/** The replacement of a withdrawn type. */
export const WITHDRAWN: Replacement = { types: [], events: () => [] };

/** Returns the events that a fold reads in place of an event: the event itself unless its type is replaced. */
export const foldedEventsOf = (event: DomainEvent, definitions: Definitions): readonly DomainEvent[] => {
  const replacement = definitions[event.type]?.replacedBy;
  if (!replacement) return [event];
  // The replacement can contain events of a type that was replaced later.
  return replacement.events(event.data).flatMap((part) => foldedEventsOf(part, definitions));
};

/** Returns the types of the events that a fold reads in place of events of a type. */
export const foldedTypesOf = (type: string, definitions: Definitions): readonly string[] => {
  const replacement = definitions[type]?.replacedBy;
  return replacement ? replacement.types.flatMap((part) => foldedTypesOf(part, definitions)) : [type];
};

/**
 * Like {@link foldedEventsOf}, but returns recorded events. All returned events have the position and the revision of
 * the stored event. The first returned event also has the id of the stored event. The ids of further returned events
 * are derived from this id.
 */
export const recordedPartsOf = (event: RecordedEvent, definitions: Definitions): readonly RecordedEvent[] =>
  foldedEventsOf(event, definitions).map(({ type, data }, index) => ({
    ...event,
    id: index === 0 ? event.id : derivedUuid(`${event.id}/${index}`),
    type,
    data,
    metadata: { ...event.metadata, schema_version: definitions[type]?.version ?? event.metadata.schema_version },
  }));

/** Returns a fold that also accepts stored events of replaced types. It passes their replacements to `evolve`. */
export const foldingReplaced =
  <State, Event extends DomainEvent>(definitions: Definitions, evolve: (state: State, event: Event) => State) =>
  (state: State, event: Event): State =>
    definitions[event.type]?.replacedBy
      ? (foldedEventsOf(event, definitions) as readonly Event[]).reduce(evolve, state)
      : evolve(state, event);
