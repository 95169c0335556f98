import type { DomainEvent, EventDefinition, RecordedEvent, Replacement } from './event.ts';
import { derivedUuid } from './identity.ts';

/*
 * Replaced event types: a type that is no longer appended, and whose stored events folds read as other events. An event
 * that was split is read as several events, and a withdrawn one as none. The log, and everything that shows the log
 * itself (history, audit, export), still has the event as it was stored (docs/develop/change-event.md#split-an-event).
 */

type Definitions = Readonly<Record<string, EventDefinition>>;

/** The replacement of a withdrawn type. */
export const WITHDRAWN: Replacement = { types: [], events: () => [] };

/** Returns the events that a fold reads in place of an event: the event itself unless its type is replaced. */
export const foldedEventsOf = (event: DomainEvent, definitions: Definitions): readonly DomainEvent[] => {
  const replacement = definitions[event.type]?.replacedBy;
  if (!replacement) return [event];
  // A type in place of another one can be replaced later.
  return replacement.events(event.data).flatMap((part) => foldedEventsOf(part, definitions));
};

/** Returns the types of {@link foldedEventsOf} for events of a type. */
export const foldedTypesOf = (type: string, definitions: Definitions): readonly string[] => {
  const replacement = definitions[type]?.replacedBy;
  return replacement ? replacement.types.flatMap((part) => foldedTypesOf(part, definitions)) : [type];
};

/**
 * Returns the recorded form of {@link foldedEventsOf}. All have the position and the revision of the stored event. The
 * first one has its id, and the others have ids that are derived from it.
 */
export const recordedPartsOf = (event: RecordedEvent, definitions: Definitions): readonly RecordedEvent[] =>
  foldedEventsOf(event, definitions).map(({ type, data }, index) => ({
    ...event,
    id: index === 0 ? event.id : derivedUuid(`${event.id}/${index}`),
    type,
    data,
    metadata: { ...event.metadata, schema_version: definitions[type]?.version ?? event.metadata.schema_version },
  }));

/** Returns the fold of an aggregate that also folds stored events of replaced types. */
export const foldingReplaced =
  <State, Event extends DomainEvent>(definitions: Definitions, evolve: (state: State, event: Event) => State) =>
  (state: State, event: Event): State =>
    definitions[event.type]?.replacedBy
      ? (foldedEventsOf(event, definitions) as readonly Event[]).reduce(evolve, state)
      : evolve(state, event);
