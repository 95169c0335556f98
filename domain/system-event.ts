import { definitionOf, type EventOf, type EventType } from './event-types.ts';
import type { Actor, EventMetadata, NewEvent } from './event.ts';
import type { Instant } from './time.ts';

/** Returns the actor for a part of the service: a reactor, the scheduler or the command line. */
export const systemActor = (name: string): Actor => ({ kind: 'system', id: name, role: null });

/** The metadata of an event that the service appends without a command. */
export interface SystemCause {
  /** UUID */
  id: string;
  /** name of the part of the service that appends the event */
  by: string;
  /** null only for events about the log itself */
  organizationId: string | null;
  /** id of what caused the event, such as a run; default: the id of the event itself */
  causeId?: string;
  /** default: the event's own id */
  commandId?: string;
  /** when the event is appended */
  now: Instant;
}

/** Creates an event that the service appends without a command. */
export const systemEvent = <E extends EventOf<EventType>>({ type, data }: E, cause: SystemCause): NewEvent<E> => ({
  id: cause.id,
  type,
  data,
  metadata: metadataOf(type, cause),
});

const metadataOf = (
  type: EventType,
  { id, by, organizationId, causeId = id, commandId = id, now }: SystemCause,
): EventMetadata => ({
  $correlationId: causeId,
  $causationId: causeId,
  command_id: commandId,
  actor: systemActor(by),
  organization_id: organizationId,
  recorded_at: now,
  schema_version: definitionOf(type)?.version ?? 1,
});
