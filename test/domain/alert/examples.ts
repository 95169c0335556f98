import type { AlertFiring } from '../../../domain/alert/decide.ts';
import type { AlertEvent } from '../../../domain/alert/events.ts';
import type { EventOf } from '../../../domain/event-types.ts';
import { alertIdOf } from '../../../domain/alert/identity.ts';

export const RULE = 'rule00000001';
export const CHECK = 'check0000001';
export const ORGANIZATION = 'org000000001';
export const PERSON = 'key000000001';

/** Returns a time on the day of the examples, such as `at('15:04:05')`. */
export const at = (time: string): string => `2026-11-20T${time}.000000`;

/** Returns the subject of the nth alert of the rule. */
export const firing = (number: number, changes: Partial<AlertFiring> = {}): AlertFiring => ({
  organization_id: ORGANIZATION,
  number,
  rule_id: RULE,
  rule_name: 'API is reachable',
  check_id: CHECK,
  check_name: 'API',
  check_type: 'web',
  severity: 'high',
  condition: 'check_failed',
  condition_parameters: {},
  channel_ids: ['channel00001'],
  title: 'API is down',
  description: 'API has been down since 15:00 UTC.',
  trigger_results: [
    {
      result_id: 'result000001',
      region: 'RU, Moscow',
      status: 'down',
      reason: 'connect',
      response_time: null,
      error_message: 'The connection was refused.',
      at: at('15:00:00'),
    },
  ],
  regional_summary: [
    {
      region: 'RU, Moscow',
      holds: true,
      status: 'down',
      response_time: null,
      error_message: 'The connection was refused.',
    },
  ],
  alert_metadata: {},
  ...changes,
});

type Event<T extends AlertEvent['type']> = Extract<AlertEvent, { type: T }>;

/** Returns the event that the nth alert of the rule has fired. */
export const fired = (number = 1, time = at('15:00:01'), changes: Partial<AlertFiring> = {}): Event<'AlertFired'> => {
  const about = firing(number, changes);
  return {
    type: 'AlertFired',
    data: { alert_id: alertIdOf(about.rule_id ?? 'system', number), ...about, fired_at: time },
  };
};

export const acknowledged = (number = 1, time = at('15:05:00')): Event<'AlertAcknowledged'> => ({
  type: 'AlertAcknowledged',
  data: { alert_id: alertIdOf(RULE, number), acknowledged_at: time, acknowledged_by_id: PERSON },
});

/** Returns the event that a person has closed the alert. */
export const closed = (number: number, time: string, duration: number): Event<'AlertResolved'> => ({
  type: 'AlertResolved',
  data: {
    alert_id: alertIdOf(RULE, number),
    resolved_at: time,
    resolved_by_id: PERSON,
    resolution: 'manual',
    because: 'person',
    duration,
  },
});

/** Returns the event that the alert was resolved automatically. */
export const resolved = (
  number: number,
  time: string,
  duration: number,
  because: Event<'AlertResolved'>['data']['because'] = 'condition',
): Event<'AlertResolved'> => ({
  type: 'AlertResolved',
  data: {
    alert_id: alertIdOf(RULE, number),
    resolved_at: time,
    resolved_by_id: null,
    resolution: 'auto',
    because,
    duration,
  },
});

export const conditionEnded = (number = 1, time = at('15:20:00')): Event<'AlertConditionEnded'> => ({
  type: 'AlertConditionEnded',
  data: { alert_id: alertIdOf(RULE, number), ended_at: time },
});

/** Returns the event that the rule and the check of the nth alert are no longer muted. */
export const muteEnded = (time: string, number = 1): Event<'AlertMuteEnded'> => ({
  type: 'AlertMuteEnded',
  data: { alert_id: alertIdOf(RULE, number), ended_at: time },
});

export const checkMuted = (muted_until: string | null): EventOf<'CheckMuted'> => ({
  type: 'CheckMuted',
  data: { check_id: CHECK, muted_until, previous: null },
});

export const ruleMuted = (muted_until: string | null): EventOf<'AlertRuleMuted'> => ({
  type: 'AlertRuleMuted',
  data: { rule_id: RULE, muted_until, previous: null },
});
