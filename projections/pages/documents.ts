import type { PageFields } from '../../domain/page/fields.ts';
import type { Instant } from '../../domain/time.ts';

/** A page as the API shows it, but for the activity score, which is counted when it is read. */
export interface PageDocument extends PageFields {
  id: string;
  organization_id: string;
  created_at: Instant;
  updated_at: Instant;
  /** the custom domain in the form in which domains are compared */
  domain_key: string | null;
  /** set: the page and all below it are not shown any more */
  deleted_at: Instant | null;
}
