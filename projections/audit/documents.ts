import type { Sealed } from '../../domain/sealed.ts';
import type { Instant } from '../../domain/time.ts';

/** Values of a changed field; null where there was, or is, none. Texts may stand sealed. */
export interface Change {
  old: unknown;
  new: unknown;
}

/** One thing that somebody did (decisions.md: Audit). */
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
  /** the name it had afterwards, or last */
  resource_name: string | null;
  changes: Record<string, Change>;
  /** sealed under the actor's key; null when it was no request */
  client_address: Sealed | null;
  user_agent: Sealed | null;
  created_at: Instant;
}

/** What a resource is called, for entries about events that do not say it. */
export interface ResourceNameDocument {
  /** `{resource_type}:{resource_id}` */
  id: string;
  name: string;
}
