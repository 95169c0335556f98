import { Type, type Static, type TSchema } from '@sinclair/typebox';
import type { Sealed } from './sealed.ts';
import { INSTANT_PATTERN, type Instant } from './time.ts';

/** Schema of an {@link Instant} in events. */
export const InstantSchema = Type.String({ pattern: INSTANT_PATTERN });

export interface Actor {
  kind: 'user' | 'api_key' | 'system';
  /** id of the user or of the API key; the name of a reactor or of the command line for `system` */
  id: string;
  /** its role at the time (domain/organization/roles.ts), which may come from a later release; null: none */
  role: string | null;
}

export interface EventMetadata {
  $correlationId: string;
  $causationId: string;
  /** id of the command that made this event (design.md: Doing it once) */
  command_id: string;
  actor: Actor;
  /** null only for events about the log itself */
  organization_id: string | null;
  /** when the event was appended; kept by export and import; never a due time */
  recorded_at: Instant;
  schema_version: number;
  /** sealed under the actor's key; only for requests */
  client_address?: Sealed;
  user_agent?: Sealed;
}

/** The fields of {@link EventMetadata} that the sealed texts of a request are bound to. */
export const CLIENT_ADDRESS = 'client_address';
export const USER_AGENT = 'user_agent';

/** What happened, in terms of the domain; `data` is JSON. */
export interface DomainEvent {
  type: string;
  data: object;
}

/** An event with its identity, ready to be appended. */
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
  /** place in its stream, from 0 */
  revision: bigint;
  /** place in the log: grows with the global order, with gaps */
  position: bigint;
}

/** The released shape of one event type. */
export interface EventDefinition<Data extends TSchema = TSchema> {
  version: number;
  data: Data;
}

export type EventDefinitions = Record<string, EventDefinition>;

/** The union of the events that a set of definitions describes. */
export type EventsOf<Definitions extends EventDefinitions> = {
  [T in keyof Definitions & string]: { type: T; data: Static<Definitions[T]['data']> };
}[keyof Definitions & string];
