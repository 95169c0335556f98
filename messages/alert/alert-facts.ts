import type { Severity } from '../../domain/alert-rule/fields.ts';
import type { AlertFired, ResolvedBecause } from '../../domain/alert/events.ts';
import type { Instant } from '../../domain/time.ts';

export type AlertEventName = 'alert.fired' | 'alert.resolved';

/** The facts of an alert message, independent of channel format. */
export interface AlertFacts {
  event: AlertEventName;
  /** organization name */
  organization: string;
  title: string;
  /** text that says what is wrong, since when, in which regions, and with which error */
  description: string;
  severity: Severity;
  rule_name: string;
  check_name: string | null;
  fired_at: Instant;
  regional_summary: AlertFired['regional_summary'];
  /** set only if the alert was resolved */
  resolved: { at: Instant; because: ResolvedBecause; duration: number } | null;
  /** URL of the alert; null without `PUBLIC_URL` */
  url: string | null;
}
