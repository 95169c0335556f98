import type { AlertRuleFields } from '../../domain/alert-rule/fields.ts';
import type { Instant } from '../../domain/time.ts';

/** A rule in the API's representation, except names, channels and suppression, which queries join. */
export interface AlertRuleDocument extends AlertRuleFields {
  id: string;
  organization_id: string;
  /** end of the mute, possibly in the past; null: it is not muted */
  muted_until: Instant | null;
  /** see domain/revision.ts */
  revision: number;
  created_at: Instant;
  updated_at: Instant;
  /** position of the last event that changed it */
  changed_position: number;
}

/** A removed rule, for followers of changes. */
export interface RemovedAlertRuleDocument {
  /** the rule's */
  id: string;
  organization_id: string;
  check_id: string | null;
  because: 'rule_deleted' | 'check_deleted';
  /** when the event that removed it was recorded */
  removed_at: Instant;
  changed_position: number;
}

/** A deleted check. A concurrent request may still create a rule for it, and alerts of rules by tag end with it. */
export interface DeletedCheckDocument {
  /** the check's */
  id: string;
  changed_position: number;
}
