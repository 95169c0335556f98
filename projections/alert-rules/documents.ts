import type { AlertRuleFields } from '../../domain/alert-rule/fields.ts';
import type { Instant } from '../../domain/time.ts';

/** A rule in the form of API responses, without names, channels and suppression, which queries add. */
export interface AlertRuleDocument extends AlertRuleFields {
  id: string;
  organization_id: string;
  /** End of the mute, possibly in the past. Null if the rule is not muted. */
  muted_until: Instant | null;
  /** see domain/revision.ts */
  revision: number;
  created_at: Instant;
  updated_at: Instant;
  /** Position of the newest event that changed the rule. */
  changed_position: number;
}

/** A removed rule, for readers that follow changes of rules. */
export interface RemovedAlertRuleDocument {
  /** Id of the rule. */
  id: string;
  organization_id: string;
  check_id: string | null;
  because: 'rule_deleted' | 'check_deleted';
  /** Time at which the removing event was recorded. */
  removed_at: Instant;
  changed_position: number;
}

/**
 * A deleted check. If a concurrent request creates a rule for the check after the deletion, the rule is removed at
 * once. Alerts of rules by tag end when their check is deleted.
 */
export interface DeletedCheckDocument {
  /** Id of the check. */
  id: string;
  changed_position: number;
}
