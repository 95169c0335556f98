import { eventTypes } from '../../../domain/event-types.ts';
import type { EventDefinition, EventDefinitions, RecordedEvent } from '../../../domain/event.ts';
import type { Query } from '../../../stores/read-store/port.ts';
import type { AnyProjection, Collections, Touched } from '../fold/define.ts';

/** How a projection handles an event type that this release knows. */
export interface EventHandling {
  /** newest version of the event type that this release knows */
  version: number;
  /** null if the projection does not handle the type */
  handle: ((event: RecordedEvent, models: unknown) => void) | null;
  further: ((event: RecordedEvent, models: unknown) => Touched<Collections>) | null;
  search: ((event: RecordedEvent, models: unknown) => Record<string, Query | readonly Query[] | undefined>) | null;
}

/**
 * Returns how a projection handles each event type that this release knows.
 *
 * @param catalogue all event types by category
 */
export const eventHandlingOf = (
  { on, further, searches }: AnyProjection,
  catalogue: Readonly<Record<string, EventDefinitions>> = eventTypes,
): ReadonlyMap<string, EventHandling> => {
  const handlers = on as Record<string, EventHandling['handle'] | undefined>;
  const furthers = (further ?? {}) as Record<string, EventHandling['further'] | undefined>;
  const searchers = (searches ?? {}) as Record<string, EventHandling['search'] | undefined>;
  const definitions = Object.values(catalogue).flatMap((events) => Object.entries<EventDefinition>(events));
  return new Map(
    definitions.map(([type, { version }]) => [
      type,
      {
        version,
        handle: handlers[type] ?? null,
        further: furthers[type] ?? null,
        search: searchers[type] ?? null,
      },
    ]),
  );
};
