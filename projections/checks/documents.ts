import type { CheckTypeName, StoredParameters } from '../../domain/check/events.ts';
import type { Instant } from '../../domain/time.ts';

/**
 * A check in the API's representation, except `last_checked_at`, `suspended_reason` and `group`, which queries join.
 */
export interface CheckDocument {
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
  /** when the deciding result set this status; for a pending check, when it was created */
  status_since: Instant;
  /** why it is down, a sentence; null: it is not, or the reason is unknown */
  error_message: string | null;
  /** with encrypted texts, which queries and runners decrypt */
  parameters: StoredParameters;
  /** each once, sorted */
  tags: string[];
  /** in display order; for a deleted check, those that it had */
  secrets: CheckSecretBinding[];
  /** its group, which may have been deleted since (queries/checks/check-groups.ts) */
  group_id: string | null;
  /** order in the group, from 1; null outside groups */
  position: number | null;
  /** end of the mute, possibly in the past; null: it is not muted */
  muted_until: Instant | null;
  /** see domain/revision.ts */
  revision: number;
  created_at: Instant;
  updated_at: Instant;
  /** set while the check itself is paused: the time of the pause */
  paused_at: Instant | null;
  /** set: its runs crashed the probe process twice, so none starts until the check is changed or released */
  parked_at: Instant | null;
  /** set: the check and its results are no longer shown */
  deleted_at: Instant | null;
}

/**
 * The data of a check that the overview shows and searches (queries/overview/). Ten thousand of these are read
 * together, so they contain no parameters and no other long values. A deleted check has none.
 */
export interface CheckRowDocument extends Pick<
  CheckDocument,
  'id' | 'organization_id' | 'name' | 'type' | 'active' | 'status' | 'group_id' | 'paused_at'
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

/** A secret that the check is bound to. Its name is part of the secret (queries/secrets.ts). */
export interface CheckSecretBinding {
  id: string;
  secret_id: string;
  env_variable: string;
  created_at: Instant;
}

/**
 * A tag of a check, so that an index finds the checks with a tag; a list in a document cannot be indexed. Id: {@link
 * checkTagId}.
 */
export interface CheckTagDocument {
  id: string;
  organization_id: string;
  tag: string;
  check_id: string;
}

export const checkTagId = (checkId: string, tag: string): string => `${checkId}/${tag}`;
