import type { Sealed } from '../../domain/sealed.ts';
import type { Instant } from '../../domain/time.ts';

/** Values of a changed field; null: no value. Texts may be encrypted. */
export interface FieldChange {
  old: unknown;
  new: unknown;
}

/** A user's display name, or else e-mail. Each is encrypted under `user-{id}`, for the field with its name. */
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
  /** of the user, or of the user who created the API key; encrypted under `user-{id}` for `email` */
  actor_email: Sealed | null;
  /** `check.updated` */
  action: string;
  resource_type: string;
  resource_id: string;
  /** its name after the action, or its last name */
  resource_name: string | null;
  /** the name, if the resource is a user or belongs to one; otherwise null */
  resource_person: UserName | null;
  changes: Record<string, FieldChange>;
  /** encrypted under the key of the organization and the month; null if it was not a request */
  client_address: Sealed | null;
  user_agent: Sealed | null;
  created_at: Instant;
}

/** The name of a resource or an actor, for entries of events that do not contain it. */
export interface ResourceNameDocument {
  /** `{resource_type}:{resource_id}` */
  id: string;
  /** null: a user */
  name: string | null;
  /** of a user; for an API key, the user who created it; otherwise null */
  person: UserName | null;
}
