import type { CheckTypeName, StoredParameters } from '../../domain/check/events.ts';
import type { Instant } from '../../domain/time.ts';

/** A check in the shape of the API, except `last_checked_at`, `suspended_reason` and `group`, which queries join. */
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
  /** when it became so, by the result that decided it; of a pending check, when that was created */
  status_since: Instant;
  /** why it is down, a sentence; null where it is not, or nobody knows */
  error_message: string | null;
  /** with sealed texts, which queries and runners open */
  parameters: StoredParameters;
  /** each once, sorted */
  tags: string[];
  /** in the order in which they are shown; of a deleted check those that it had */
  secrets: CheckSecretBinding[];
  /** its group, which may have been deleted since (queries/checks/check-groups.ts) */
  group_id: string | null;
  /** order in the group, from 1; null outside groups */
  position: number | null;
  /** until when its alerts send nothing, which may have passed; null: it is not muted */
  muted_until: Instant | null;
  /** see domain/revision.ts */
  revision: number;
  created_at: Instant;
  updated_at: Instant;
  /** set: since when its own switch is off */
  paused_at: Instant | null;
  /** set: its runs ended the probe process twice, so none begins until it is changed or released */
  parked_at: Instant | null;
  /** set: the check and its results are no longer shown */
  deleted_at: Instant | null;
}

/**
 * What the overview shows of a check and can be searched by (queries/overview/). Ten thousand of them are read at once,
 * so they hold neither parameters nor anything else that may be long. A deleted check has none.
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

/** Characters of an error message in a row. */
export const LONGEST_MESSAGE = 200;

/** A secret that the check is bound to; the name of the secret stands with the secret (queries/secrets.ts). */
export interface CheckSecretBinding {
  id: string;
  secret_id: string;
  env_variable: string;
  created_at: Instant;
}

/**
 * That a check has a tag: finds the checks with a tag by an index, which no list in a document can have. Id:
 * {@link checkTagId}.
 */
export interface CheckTagDocument {
  id: string;
  organization_id: string;
  tag: string;
  check_id: string;
}

export const checkTagId = (checkId: string, tag: string): string => `${checkId}/${tag}`;
