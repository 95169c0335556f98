import type { AlertFired, Resolution, ResolvedBecause } from '../../domain/alert/events.ts';
import type { Cause } from '../../domain/delivery/events.ts';
import type { Instant } from '../../domain/time.ts';

/** `firing` and `acknowledged` alerts are active. */
export type AlertStatus = 'firing' | 'acknowledged' | 'resolved';

/** What happened to an alert, and who did it; null: it happened by itself. */
export interface AlertHistoryEntry {
  event: 'fired' | 'acknowledged' | 'resolved';
  at: Instant;
  user_id: string | null;
}

/** An alert, with what its rule and its check were when it fired. */
export interface AlertDocument extends Omit<AlertFired, 'alert_id'> {
  id: string;
  status: AlertStatus;
  is_active: boolean;
  acknowledged_at: Instant | null;
  acknowledged_by_id: string | null;
  resolved_at: Instant | null;
  resolved_by_id: string | null;
  resolution: Resolution | null;
  because: ResolvedBecause | null;
  /** whole seconds until it was resolved; null while it is active */
  duration: number | null;
  history: AlertHistoryEntry[];
  /** its rule or check was muted when it fired, and no message has been planned since to say that it did */
  unannounced: boolean;
  changed_position: number;
}

/** Where a rule stands: its newest alert; of a rule by tag, its newest alert of a check. */
export interface AlertStandingDocument {
  /** the rule's; `{rule}/{check}` of a rule by tag; `system` for what the service raises about itself */
  id: string;
  organization_id: string;
  check_id: string | null;
  /** the alert's, among those of its rule, from 1 */
  number: number;
  alert_id: string;
  status: AlertStatus;
  fired_at: Instant;
  resolved_at: Instant | null;
  resolution: Resolution | null;
  because: ResolvedBecause | null;
  /** whether its condition was seen to end after a person had resolved it */
  condition_ended: boolean;
  changed_position: number;
}

/** The kind of the causes that {@link AlertNoticeDocument} is (reactors/delivery/). */
export const ALERT = 'alert';

/** The id of a cause of messages about an alert. */
export const noticeIdOf = (alertId: string, what: 'fired' | 'resolved'): string => `${alertId}/${what}`;

/** What the channels of an alert are told: a cause of one message to each. */
export interface AlertNoticeDocument {
  /** `{alert_id}/fired` or `{alert_id}/resolved`, as in the cause */
  id: string;
  organization_id: string;
  cause: Cause;
  caused_at: Instant;
  /** that it was resolved waits for the message that it fired, which is never given up for it */
  series: string;
  in_order: true;
  priority: 'alert';
  alert_id: string;
  event: 'alert.fired' | 'alert.resolved';
  channel_ids: readonly string[];
  changed_position: number;
}

/** The results that made an alert fire: an item of the list of the reactor that notes it with them. */
export interface RaisedAlertDocument {
  /** the alert's */
  id: string;
  organization_id: string;
  check_id: string;
  title: string;
  fired_at: Instant;
  results: readonly { result_id: string; region: string }[];
  changed_position: number;
}
