import type { Sealed } from '../../domain/sealed.ts';
import type { Instant } from '../../domain/time.ts';

/** Values of a changed field; null if there was, or is, none. Texts may be sealed. */
export interface Change {
  old: unknown;
  new: unknown;
}

/** One action of somebody (decisions.md: Audit). */
export interface AuditDocument {
  id: string;
  organization_id: string;
  actor_type: 'user' | 'api_key' | 'system';
  actor_id: string;
  actor_email: Sealed | null;
  /** `check.updated` */
  action: string;
  resource_type: string;
  resource_id: string;
  /** the name it had afterwards, or its last one */
  resource_name: string | null;
  changes: Record<string, Change>;
  /** sealed under the actor's key; null if it was not a request */
  client_address: Sealed | null;
  user_agent: Sealed | null;
  created_at: Instant;
}

/** The name of a resource, for entries about events that do not contain it. */
export interface ResourceNameDocument {
  /** `{resource_type}:{resource_id}` */
  id: string;
  name: string;
}
