import { IllegalState } from '../errors.ts';
import { millisecondsOf, type Instant } from '../time.ts';
import type { AlertEvent, AlertFired, ResolvedBecause } from './events.ts';
import { alertIdOf, alertSeries } from './identity.ts';
import { existing, isActive, type Alert } from './state.ts';

/** What an alert is about, and who is told: all of it but what follows from the rule and the time. */
export type Firing = Omit<AlertFired, 'alert_id' | 'fired_at'>;

/** The id that an alert has. */
export const idOfFiring = (firing: Pick<Firing, 'rule_id' | 'check_id' | 'rule_tag' | 'number'>): string =>
  alertIdOf(alertSeries(firing), firing.number);

/**
 * Lets the nth alert of a rule fire, unless it has fired before, or the one before it is not known to be resolved: a
 * rule has at most one active alert, and a rule by tag one for each check (spec.md: States, Alert).
 *
 * @param previous the alert n − 1 of the rule, as its own stream has it; null for the first
 */
export const fireAlert = (alert: Alert, previous: Alert | null, firing: Firing, now: Instant): AlertEvent[] => {
  if (alert.status !== 'absent' || (previous !== null && previous.status !== 'resolved')) return [];
  return [{ type: 'AlertFired', data: { alert_id: idOfFiring(firing), ...firing, fired_at: now } }];
};

/**
 * Records that somebody looks after it; it stays active.
 *
 * @param by the person, or the API key that was used
 * @throws NotFound
 * @throws IllegalState it was acknowledged or resolved before
 */
export const acknowledgeAlert = (alert: Alert, by: string, now: Instant): AlertEvent => {
  const { id, status } = existing(alert);
  if (status !== 'firing') throw new IllegalState('Only firing alerts can be acknowledged.');
  return { type: 'AlertAcknowledged', data: { alert_id: id, acknowledged_at: now, acknowledged_by_id: by } };
};

/**
 * Closes an alert on somebody's request.
 *
 * @param by the person, or the API key that was used
 * @throws NotFound
 * @throws IllegalState it was resolved before
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

/** Closes an alert because what it was about is over; one that is not active stays as it is. */
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

/** Records that the condition of an alert that a person had resolved has ended, so that its rule may fire again. */
export const endCondition = (alert: Alert, now: Instant): AlertEvent[] =>
  alert.status === 'resolved' && alert.holdsStill
    ? [{ type: 'AlertConditionEnded', data: { alert_id: alert.id, ended_at: now } }]
    : [];

/** Records that neither the rule nor the check of an alert is muted any more, which releases the message held back. */
export const endMute = (alert: Alert, now: Instant): AlertEvent => ({
  type: 'AlertMuteEnded',
  data: { alert_id: existing(alert).id, ended_at: now },
});

/** Whole seconds that an alert has lasted: 0 when the clock was set back behind its beginning. */
export const durationOf = (firedAt: Instant, until: Instant): number =>
  Math.max(0, Math.floor((millisecondsOf(until) - millisecondsOf(firedAt)) / 1_000));
