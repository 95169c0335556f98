import { Type, type Static, type TSchema } from '@sinclair/typebox';
import type { Sealed } from './sealed.ts';
import { INSTANT_PATTERN, type Instant } from './time.ts';

/** Schema of an {@link Instant} in events. */
export const InstantSchema = Type.String({ pattern: INSTANT_PATTERN });

export interface Actor {
  kind: 'user' | 'api_key' | 'system';
  /** id of the user or of the API key; the name of a reactor or of the command line for `system` */
  id: string;
  /** its role at the time (domain/organization/roles.ts), possibly one of a newer release; null: none */
  role: string | null;
}

export interface EventMetadata {
  $correlationId: string;
  $causationId: string;
  /** id of the command that created this event (docs/develop/requests.md#idempotency) */
  command_id: string;
  actor: Actor;
  /** null only for events about the log itself */
  organization_id: string | null;
  /** when the event was appended, even if it records something earlier; export and import preserve it */
  recorded_at: Instant;
  schema_version: number;
  /** sealed; only for requests */
  client_address?: Sealed;
  user_agent?: Sealed;
}

/** The field names that the sealed texts of {@link EventMetadata} are bound to. */
export const CLIENT_ADDRESS = 'client_address';
export const USER_AGENT = 'user_agent';

/** A domain event; `data` is JSON. */
export interface DomainEvent {
  type: string;
  data: object;
}

/** An event with its id and metadata, ready to be appended. */
export interface NewEvent<E extends DomainEvent = DomainEvent> {
  /** UUID */
  id: string;
  type: E['type'];
  data: E['data'];
  metadata: EventMetadata;
}

/** An event as a log returns it. */
export interface RecordedEvent<E extends DomainEvent = DomainEvent> extends NewEvent<E> {
  stream: string;
  /** position in its stream, from 0 */
  revision: bigint;
  /** position in the log: ascending in the global order, with gaps */
  position: bigint;
}

/** The released schema of an event type. */
export interface EventDefinition<Data extends TSchema = TSchema> {
  version: number;
  data: Data;
}

export type EventDefinitions = Record<string, EventDefinition>;

/** The union of the events in a set of definitions. */
export type EventsOf<Definitions extends EventDefinitions> = {
  [T in keyof Definitions & string]: { type: T; data: Static<Definitions[T]['data']> };
}[keyof Definitions & string];
