import type { Sealed } from '../../domain/sealed.ts';
import type { Instant } from '../../domain/time.ts';

/** Values of a changed field; null if there was, or is, none. Texts may be sealed. */
export interface Change {
  old: unknown;
  new: unknown;
}

/** What a user is called: by name, else by e-mail. Each is sealed under `user-{id}`, for the field of its name. */
export interface Person {
  email: Sealed | null;
  first_name: Sealed | null;
  last_name: Sealed | null;
}

/** One action of somebody (decisions.md: Audit). */
export interface AuditDocument {
  id: string;
  organization_id: string;
  actor_type: 'user' | 'api_key' | 'system';
  actor_id: string;
  /** of the user, or of the one who made the API key; sealed under `user-{id}` for `email` */
  actor_email: Sealed | null;
  /** `check.updated` */
  action: string;
  resource_type: string;
  resource_id: string;
  /** the name it had afterwards, or its last one */
  resource_name: string | null;
  /** the name, where the resource is a user, or what belongs to one; else null */
  resource_person: Person | null;
  changes: Record<string, Change>;
  /** sealed under the key of the organization and the month; null if it was not a request */
  client_address: Sealed | null;
  user_agent: Sealed | null;
  created_at: Instant;
}

/** What a resource or an actor is called, for entries about events that do not contain it. */
export interface ResourceNameDocument {
  /** `{resource_type}:{resource_id}` */
  id: string;
  /** null: a user */
  name: string | null;
  /** of a user; of an API key the user who made it; null for others */
  person: Person | null;
}
