import type { AlertRuleFields } from '../../domain/alert-rule/fields.ts';
import type { Instant } from '../../domain/time.ts';

/** A rule as the API shows it, except what queries join: names, channels, what suppresses it. */
export interface AlertRuleDocument extends AlertRuleFields {
  id: string;
  organization_id: string;
  /** until when its alerts send nothing, which may have passed; null: it is not muted */
  muted_until: Instant | null;
  /** see domain/revision.ts */
  revision: number;
  created_at: Instant;
  updated_at: Instant;
  /** position of the last event that changed it */
  changed_position: number;
}

/** A rule that is gone, so that those who follow changes see that too. */
export interface RemovedAlertRuleDocument {
  /** the rule */
  id: string;
  organization_id: string;
  check_id: string | null;
  because: 'rule_deleted' | 'check_deleted';
  /** when the event that removed it was recorded */
  removed_at: Instant;
  changed_position: number;
}

/**
 * A check that is gone: a rule may still be made for it by somebody who did not know, and alerts of rules by tag end with
 * it.
 */
export interface DeletedCheckDocument {
  /** the check */
  id: string;
  changed_position: number;
}
