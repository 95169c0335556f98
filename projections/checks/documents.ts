import type { CheckTypeName, StoredParameters } from '../../domain/check/events.ts';
import type { ManagedObject } from '../../domain/managed/managed-by.ts';
import type { Instant } from '../../domain/time.ts';

/**
 * A check in the form of API responses, without `last_checked_at`, `suspended_reason` and `group`, which queries add.
 */
export interface CheckDocument extends ManagedObject {
  id: string;
  organization_id: string;
  name: string;
  type: CheckTypeName;
  active: boolean;
  /** seconds */
  interval: number;
  /** seconds */
  timeout: number;
  host: string | null;
  url: string | null;
  port: number | null;
  status: 'pending' | 'up' | 'down';
  /** Time of the result that set this status. For a pending check, the time of its creation. */
  status_since: Instant;
  /** Why the check is down, as a sentence. Null if the check is not down, or the reason is unknown. */
  error_message: string | null;
  /** Parameters. Queries and runners decrypt the encrypted texts in them. */
  parameters: StoredParameters;
  /** Tags without duplicates, sorted. */
  tags: string[];
  /** Secrets in display order. A deleted check keeps the secrets that it had. */
  secrets: CheckSecretBinding[];
  /** Id of the check's group. The group might be deleted (queries/checks/check-groups.ts). */
  group_id: string | null;
  /** order in the group, from 1; null outside groups */
  position: number | null;
  /** End of the mute, possibly in the past. Null if the check is not muted. */
  muted_until: Instant | null;
  /** see domain/revision.ts */
  revision: number;
  created_at: Instant;
  updated_at: Instant;
  /** Start of the pause. Null unless the check itself is paused. */
  paused_at: Instant | null;
  /**
   * Time at which a run of the check crashed a probe process for the second time. After that, no run starts until the
   * check is changed or released.
   */
  parked_at: Instant | null;
  /** Time of the deletion. A deleted check and its results are no longer shown. */
  deleted_at: Instant | null;
}

/**
 * The data of a check that the overview shows and searches (queries/overview/). Ten thousand of these documents are
 * read together, so they contain no parameters and no other long values. Deleted checks have no such document.
 */
export interface CheckRowDocument extends Pick<
  CheckDocument,
  'id' | 'organization_id' | 'name' | 'type' | 'active' | 'status' | 'group_id' | 'paused_at' | 'managed_by'
> {
  tags: readonly string[];
  since: Instant;
  /** at most {@link LONGEST_MESSAGE} characters */
  error_message: string | null;
  /** the URL, or host and port; empty for types that have neither */
  target: string;
}

/** Maximum length of an error message in a row, in characters. */
export const LONGEST_MESSAGE = 200;

/** A secret that the check is bound to. The name of the secret is in another read model (queries/secrets.ts). */
export interface CheckSecretBinding {
  id: string;
  secret_id: string;
  env_variable: string;
  created_at: Instant;
}

/**
 * A tag of a check. These documents have an index by tag, because a list in a document cannot be indexed. The id is
 * {@link checkTagId}.
 */
export interface CheckTagDocument {
  id: string;
  organization_id: string;
  tag: string;
  check_id: string;
}

export const checkTagId = (checkId: string, tag: string): string => `${checkId}/${tag}`;
