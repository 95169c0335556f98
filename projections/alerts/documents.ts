import type { AlertFired, Resolution, ResolvedBecause } from '../../domain/alert/events.ts';
import type { Cause } from '../../domain/delivery/events.ts';
import type { Instant } from '../../domain/time.ts';

/** `firing` and `acknowledged` alerts are active. */
export type AlertStatus = 'firing' | 'acknowledged' | 'resolved';

/** An event of an alert and its actor; null: the service itself. */
export interface AlertHistoryEntry {
  event: 'fired' | 'acknowledged' | 'resolved';
  at: Instant;
  user_id: string | null;
}

/** An alert, with the state of its rule and check when it fired. */
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
  /** its rule or check was muted when it fired, and no message about the firing has been planned since */
  unannounced: boolean;
  changed_position: number;
}

/** The newest alert of a rule; for a rule by tag, its newest alert of one check. */
export interface NewestAlertDocument {
  /** the rule's id; `{rule}/{check}` for a rule by tag; `system` for alerts of the service itself */
  id: string;
  organization_id: string;
  check_id: string | null;
  /** number of the alert among those of its rule, from 1 */
  number: number;
  alert_id: string;
  status: AlertStatus;
  fired_at: Instant;
  resolved_at: Instant | null;
  resolution: Resolution | null;
  because: ResolvedBecause | null;
  /** whether its condition ended after a user had resolved it */
  condition_ended: boolean;
  changed_position: number;
}

/** The kind of the causes that {@link AlertNoticeDocument} is (reactors/delivery/). */
export const ALERT_CAUSE = 'alert';

/** The id of a cause of messages about an alert. */
export const noticeIdOf = (alertId: string, what: 'fired' | 'resolved'): string => `${alertId}/${what}`;

/** A notification of an alert's channels: a cause of one message to each. */
export interface AlertNoticeDocument {
  /** `{alert_id}/fired` or `{alert_id}/resolved`, as in the cause */
  id: string;
  organization_id: string;
  cause: Cause;
  caused_at: Instant;
  /** the resolution message waits for the firing message and never supersedes it */
  series: string;
  in_order: true;
  priority: 'alert';
  alert_id: string;
  event: 'alert.fired' | 'alert.resolved';
  channel_ids: readonly string[];
  changed_position: number;
}

/** The results that fired an alert: an item of the list of the reactor that records the alert with them. */
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
