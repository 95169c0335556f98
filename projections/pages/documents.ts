import type { PageFields } from '../../domain/page/fields.ts';
import type { Instant } from '../../domain/time.ts';

/** A page as the API shows it, except the activity score, which is computed when it is read. */
export interface PageDocument extends PageFields {
  id: string;
  organization_id: string;
  created_at: Instant;
  updated_at: Instant;
  /** the custom domain in the form in which domains are compared */
  domain_key: string | null;
  /** set: the page and everything below it are no longer shown */
  deleted_at: Instant | null;
}
