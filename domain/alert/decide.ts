import { IllegalState } from '../errors.ts';
import { millisecondsOf, type Instant } from '../time.ts';
import type { AlertEvent, AlertFired, ResolvedBecause } from './events.ts';
import { alertIdOf, alertSeries } from './identity.ts';
import { existing, isActive, type Alert } from './state.ts';

/** The data of a new alert, without the derived id and the time. */
export type AlertFiring = Omit<AlertFired, 'alert_id' | 'fired_at'>;

/** The id of an alert. */
export const alertIdOfFiring = (firing: Pick<AlertFiring, 'rule_id' | 'check_id' | 'rule_tag' | 'number'>): string =>
  alertIdOf(alertSeries(firing), firing.number);

/**
 * Fires alert n of a rule. Returns no event if this alert has already fired, or if alert n − 1 is not resolved: a rule
 * has at most one active alert (docs/reference/alerts.md#states-of-an-alert). A rule that watches a tag has at most one
 * active alert for each check.
 *
 * @param previous alert n − 1 of the rule, read from its own stream; null for the first alert
 */
export const fireAlert = (alert: Alert, previous: Alert | null, firing: AlertFiring, now: Instant): AlertEvent[] => {
  if (alert.status !== 'absent' || (previous !== null && previous.status !== 'resolved')) return [];
  return [{ type: 'AlertFired', data: { alert_id: alertIdOfFiring(firing), ...firing, fired_at: now } }];
};

/**
 * Acknowledges an alert. An acknowledged alert remains active.
 *
 * @param by the id of the person, or of the API key that was used
 * @throws NotFound
 * @throws IllegalState the alert was already acknowledged or resolved
 */
export const acknowledgeAlert = (alert: Alert, by: string, now: Instant): AlertEvent => {
  const { id, status } = existing(alert);
  if (status !== 'firing') throw new IllegalState('Only firing alerts can be acknowledged.');
  return { type: 'AlertAcknowledged', data: { alert_id: id, acknowledged_at: now, acknowledged_by_id: by } };
};

/**
 * Resolves an alert manually.
 *
 * @param by the id of the person, or of the API key that was used
 * @throws NotFound
 * @throws IllegalState the alert was already resolved
 */
export const resolveAlert = (alert: Alert, by: string, now: Instant): AlertEvent => {
  const there = existing(alert);
  if (!isActive(there)) throw new IllegalState('Only firing or acknowledged alerts can be resolved.');
  const { id: alert_id, firedAt } = there;
  const duration = durationOf(firedAt, now);
  return {
    type: 'AlertResolved',
    data: { alert_id, resolved_at: now, resolved_by_id: by, resolution: 'manual', because: 'person', duration },
  };
};

/** Resolves an alert automatically. Returns no event if the alert is not active. */
export const resolveAlertBecause = (
  alert: Alert,
  because: Exclude<ResolvedBecause, 'person'>,
  now: Instant,
): AlertEvent[] => {
  if (!isActive(alert)) return [];
  const { id: alert_id, firedAt } = alert;
  const duration = durationOf(firedAt, now);
  return [
    {
      type: 'AlertResolved',
      data: { alert_id, resolved_at: now, resolved_by_id: null, resolution: 'auto', because, duration },
    },
  ];
};

/** Records that the condition of a manually resolved alert has ended. After that, the rule can fire again. */
export const endCondition = (alert: Alert, now: Instant): AlertEvent[] =>
  alert.status === 'resolved' && alert.holdsStill
    ? [{ type: 'AlertConditionEnded', data: { alert_id: alert.id, ended_at: now } }]
    : [];

/**
 * Records that neither the rule nor the check of an alert is muted any more. The message that was withheld is then
 * sent.
 */
export const endMute = (alert: Alert, now: Instant): AlertEvent => ({
  type: 'AlertMuteEnded',
  data: { alert_id: existing(alert).id, ended_at: now },
});

/**
 * Returns the duration of an alert in whole seconds. Returns 0 if the clock was set back to a time before the start.
 */
export const durationOf = (firedAt: Instant, until: Instant): number =>
  Math.max(0, Math.floor((millisecondsOf(until) - millisecondsOf(firedAt)) / 1_000));
