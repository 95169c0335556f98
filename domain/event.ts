import { Type, type Static, type TSchema } from '@sinclair/typebox';
import type { Sealed } from './sealed.ts';
import { INSTANT_PATTERN, type Instant } from './time.ts';

/** Schema of an {@link Instant} in events. */
export const InstantSchema = Type.String({ pattern: INSTANT_PATTERN });

export interface Actor {
  kind: 'user' | 'api_key' | 'system';
  /** the id of the user or of the API key; for `system`, the name of a reactor or of the command line */
  id: string;
  /**
   * the actor's role when the command ran (domain/organization/roles.ts); it may be unknown to this release, if a newer
   * release recorded it; null: no role
   */
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
  /** when the event was appended, even if it records an earlier fact; preserved by export and import */
  recorded_at: Instant;
  schema_version: number;
  /** the sealed address of the client; only for events that an HTTP request caused */
  client_address?: Sealed;
  user_agent?: Sealed;
}

/** The field names that the sealed metadata `client_address` and `user_agent` are bound to. */
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
  /** number of the event in its stream, from 0 */
  revision: bigint;
  /** position in the log; ascending, with gaps */
  position: bigint;
}

/** Compares two events of a log by their positions. */
export const byPosition = (one: RecordedEvent, other: RecordedEvent): number =>
  one.position < other.position ? -1 : 1;

/** The released schema of an event type. */
export interface EventDefinition<Data extends TSchema = TSchema> {
  version: number;
  data: Data;
  /** set if the type is no longer appended, and folds read other events in its place */
  replacedBy?: Replacement;
}

/** The events that folds read in place of an event that is no longer appended (domain/replaced-events.ts). */
export interface Replacement {
  /**
   * types of the events that folds read instead, in the same category as the replaced event; empty: the type was
   * withdrawn, and folds skip its events
   */
  types: readonly string[];
  /**
   * Returns the events that replace an event with this data, in the order of the fold and in the current versions of
   * their types. The function is pure. It is declared as a method, so that implementations can narrow the type of the
   * parameter.
   */
  events(data: object): readonly DomainEvent[];
}

export type EventDefinitions = Record<string, EventDefinition>;

/** The union of the event types in a set of definitions. */
export type EventsOf<Definitions extends EventDefinitions> = {
  [T in keyof Definitions & string]: { type: T; data: Static<Definitions[T]['data']> };
}[keyof Definitions & string];

/** The union of the event types in a set of definitions that are not replaced. Folds read only these types. */
export type FoldedEventsOf<Definitions extends EventDefinitions> = EventsOf<{
  [T in keyof Definitions as Definitions[T] extends { replacedBy: Replacement } ? never : T]: Definitions[T];
}>;
