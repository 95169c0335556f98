import type { Sealed } from '../../domain/sealed.ts';
import type { Instant } from '../../domain/time.ts';

/** Values of a changed field. Null stands for no value. Texts can be encrypted. */
export interface FieldChange {
  old: unknown;
  new: unknown;
}

/** A user's e-mail and names. Each value is encrypted under the key `user-{id}` and the name of its property. */
export interface UserName {
  email: Sealed | null;
  first_name: Sealed | null;
  last_name: Sealed | null;
}

/** A user's or API key's action (docs/reference/audit.md#entry-fields). */
export interface AuditDocument {
  id: string;
  organization_id: string;
  actor_type: 'user' | 'api_key' | 'system';
  actor_id: string;
  /** E-mail of the user, or of the user who created the API key. Encrypted under `user-{id}`, field `email`. */
  actor_email: Sealed | null;
  /** Resource type and action, such as `check.updated`. */
  action: string;
  resource_type: string;
  resource_id: string;
  /** Name of the resource after the action. If the resource was deleted, its final name. */
  resource_name: string | null;
  /** Name of the user, if the resource is a user or belongs to one. Otherwise null. */
  resource_person: UserName | null;
  changes: Record<string, FieldChange>;
  /**
   * Encrypted under the client key of the organization for the month of the event (domain/client-key.ts). Null if no
   * request caused the event.
   */
  client_address: Sealed | null;
  user_agent: Sealed | null;
  created_at: Instant;
}

/** The name of a resource or an actor. Entries show it for events that do not contain the name. */
export interface ResourceNameDocument {
  /** `{resource_type}:{resource_id}` */
  id: string;
  /** Null for a user. */
  name: string | null;
  /** Name of the user. For an API key, the name of the user who created the key. Otherwise null. */
  person: UserName | null;
}
