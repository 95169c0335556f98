import type { Severity } from '../../domain/alert-rule/fields.ts';
import type { AlertFired, ResolvedBecause } from '../../domain/alert/events.ts';
import type { Instant } from '../../domain/time.ts';

export type AlertEventName = 'alert.fired' | 'alert.resolved';

/** What the channels of an alert are told, in no form yet. */
export interface AlertTold {
  event: AlertEventName;
  /** of the organization */
  organization: string;
  title: string;
  /** what is wrong, since when, in which regions, and the last error */
  description: string;
  severity: Severity;
  rule_name: string;
  check_name: string | null;
  fired_at: Instant;
  regional_summary: AlertFired['regional_summary'];
  /** only of one that was resolved */
  resolved: { at: Instant; because: ResolvedBecause; duration: number } | null;
  /** where the alert is to be found; null: nowhere without `PUBLIC_URL` */
  url: string | null;
}
