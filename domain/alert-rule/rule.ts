import { changedFields } from '../changes.ts';
import { unreachable, type Decider } from '../decider.ts';
import { lifecycleOf } from '../existence.ts';
import { muteChange } from '../mute.ts';
import type { Instant } from '../time.ts';
import type { AlertRuleEvent } from './events.ts';
import type { AlertRuleFields } from './fields.ts';
import { newRule, withDefaults, type AlertRuleInput, type NewAlertRule } from './settings.ts';

export type AlertRule =
  | { status: 'absent' }
  | {
      status: 'active';
      id: string;
      fields: AlertRuleFields;
      /** Until this instant, the rule's alerts send no messages. The instant can be in the past. */
      mutedUntil: Instant | null;
    }
  | { status: 'deleted' };

const { existing, requireAbsent, onExisting } = lifecycleOf<AlertRule>('alert rule');

/** @throws Conflict */
export const createAlertRule = (
  rule: AlertRule,
  rule_id: string,
  organization_id: string,
  input: NewAlertRule,
  now: Instant,
): AlertRuleEvent[] => {
  requireAbsent(rule);
  return [
    { type: 'AlertRuleCreated', data: { rule_id, organization_id, rule: newRule(input) } },
    ...muted(rule_id, null, input, now),
  ];
};

/** Returns events for the fields of `input` that differ from the current fields. @throws NotFound */
export const updateAlertRule = (rule: AlertRule, input: AlertRuleInput, now: Instant): AlertRuleEvent[] => {
  const { id: rule_id, fields, mutedUntil } = existing(rule);
  const changed = changedFields(fields, withDefaults(fields, input));
  return [
    ...(changed ? [{ type: 'AlertRuleUpdated', data: { rule_id, ...changed } } as const] : []),
    ...muted(rule_id, mutedUntil, input, now),
  ];
};

const muted = (
  rule_id: string,
  before: Instant | null,
  { muted_until: wanted }: AlertRuleInput,
  now: Instant,
): AlertRuleEvent[] => {
  const change = wanted === undefined ? null : muteChange(before, wanted, now);
  return change ? [{ type: 'AlertRuleMuted', data: { rule_id, ...change } }] : [];
};

/** @throws NotFound */
export const deleteAlertRule = (rule: AlertRule): AlertRuleEvent => ({
  type: 'AlertRuleDeleted',
  data: { rule_id: existing(rule).id },
});

const evolve = (rule: AlertRule, event: AlertRuleEvent): AlertRule => {
  switch (event.type) {
    case 'AlertRuleCreated':
      return { status: 'active', id: event.data.rule_id, fields: event.data.rule, mutedUntil: null };
    case 'AlertRuleUpdated':
      return onExisting(rule, (active) => ({ ...active, fields: { ...active.fields, ...event.data.changes } }));
    case 'AlertRuleMuted': {
      const { muted_until: mutedUntil } = event.data;
      return onExisting(rule, (active) => ({ ...active, mutedUntil }));
    }
    case 'AlertRuleDeleted':
      return { status: 'deleted' };
    default:
      return unreachable(event);
  }
};

export const alertRuleDecider: Decider<AlertRule, AlertRuleEvent> = {
  category: 'alert_rule',
  initialState: { status: 'absent' },
  evolve,
};
