import type { PageFields } from '../../domain/page/fields.ts';
import type { PagePasswordFields } from '../../domain/page/password-events.ts';
import type { PasswordRules } from '../../domain/page/access.ts';
import type { Instant } from '../../domain/time.ts';

/** A page password in the API's representation, without its hash. */
export interface PagePasswordDocument extends PagePasswordFields, PasswordRules {
  /** id of a user or of an API key */
  created_by: string;
  created_at: Instant;
  updated_at: Instant;
}

/** A page in the API's representation, except the activity score, which is computed when it is read. */
export interface PageDocument extends PageFields {
  id: string;
  organization_id: string;
  /** see domain/revision.ts */
  revision: number;
  created_at: Instant;
  updated_at: Instant;
  /** the custom domain in the form in which domains are compared */
  domain_key: string | null;
  /**
   * position of the event by which the page first showed edits: visitors see no earlier edit or deletion; null: it
   * never has. A position, because clocks can be set back
   */
  edits_from_position: number | null;
  /** passwords of the page, oldest first; at most twenty */
  passwords: readonly PagePasswordDocument[];
  /** set: the page and everything that belongs to it are no longer shown */
  deleted_at: Instant | null;
}
