import type { PageFields } from '../../domain/page/fields.ts';
import type { PagePasswordFields } from '../../domain/page/password-events.ts';
import type { PasswordRules } from '../../domain/page/access.ts';
import type { Instant } from '../../domain/time.ts';

/** A page password in the form of API responses, without its hash. */
export interface PagePasswordDocument extends PagePasswordFields, PasswordRules {
  /** id of a user or of an API key */
  created_by: string;
  created_at: Instant;
  updated_at: Instant;
}

/** A page in the form of API responses, without the activity score, which is computed when the page is read. */
export interface PageDocument extends PageFields {
  id: string;
  organization_id: string;
  /** see domain/revision.ts */
  revision: number;
  created_at: Instant;
  updated_at: Instant;
  /** The custom domain in normalised form, by which domains are compared. */
  domain_key: string | null;
  /**
   * Position of the event with which the page showed edits for the first time. Visitors do not see earlier edits and
   * deletions. Null if the page has never shown edits. This is a position and not a time, because clocks can be set
   * back.
   */
  edits_from_position: number | null;
  /** passwords of the page, oldest first; at most twenty */
  passwords: readonly PagePasswordDocument[];
  /** Time of the deletion. A deleted page and everything that belongs to it are no longer shown. */
  deleted_at: Instant | null;
}
