import type { AlertFired, Resolution, ResolvedBecause } from '../../domain/alert/events.ts';
import type { Cause } from '../../domain/delivery/events.ts';
import type { Instant } from '../../domain/time.ts';

/** `firing` and `acknowledged` alerts are active. */
export type AlertStatus = 'firing' | 'acknowledged' | 'resolved';

/** An event of an alert, and its actor. The actor is null if the service itself acted. */
export interface AlertHistoryEntry {
  event: 'fired' | 'acknowledged' | 'resolved';
  at: Instant;
  user_id: string | null;
}

/** An alert, with the state that its rule and check had when it fired. */
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
  /** Whole seconds from firing to resolution. Null while the alert is active. */
  duration: number | null;
  history: AlertHistoryEntry[];
  /** Whether no message about the firing was planned, because the rule or the check was muted. */
  unannounced: boolean;
  changed_position: number;
}

/** The newest alert of a rule. For a rule by tag, there is one document per check. */
export interface NewestAlertDocument {
  /** Id of the rule, `{rule}/{check}` for a rule by tag, or `system` for alerts of the service itself. */
  id: string;
  organization_id: string;
  check_id: string | null;
  /** Number of the alert among the alerts of its rule, starting at 1. */
  number: number;
  alert_id: string;
  status: AlertStatus;
  fired_at: Instant;
  resolved_at: Instant | null;
  resolution: Resolution | null;
  because: ResolvedBecause | null;
  /** Whether the condition of the alert has ended after a user had resolved the alert. */
  condition_ended: boolean;
  changed_position: number;
}

/** The kind of cause that an {@link AlertNoticeDocument} represents (reactors/delivery/). */
export const ALERT_CAUSE = 'alert';

/** Returns the id of a cause of messages about an alert. */
export const noticeIdOf = (alertId: string, what: 'fired' | 'resolved'): string => `${alertId}/${what}`;

/** The notification that an alert fired or was resolved. Each channel of the alert gets one message about it. */
export interface AlertNoticeDocument {
  /** `{alert_id}/fired` or `{alert_id}/resolved`. The cause has the same id. */
  id: string;
  organization_id: string;
  cause: Cause;
  caused_at: Instant;
  /**
   * Both messages about an alert are in this series. They are sent in order, and the second never replaces the first.
   */
  series: string;
  in_order: true;
  priority: 'alert';
  alert_id: string;
  event: 'alert.fired' | 'alert.resolved';
  channel_ids: readonly string[];
  changed_position: number;
}

/** The results that fired an alert. A reactor takes these documents one by one, and adds the alert to the results. */
export interface RaisedAlertDocument {
  /** Id of the alert. */
  id: string;
  organization_id: string;
  check_id: string;
  title: string;
  fired_at: Instant;
  results: readonly { result_id: string; region: string }[];
  changed_position: number;
}
