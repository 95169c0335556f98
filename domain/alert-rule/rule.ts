import { changedFields } from '../changes.ts';
import { unreachable, type Decider } from '../decider.ts';
import { lifecycleOf } from '../lifecycle.ts';
import type { AlertRuleEvent } from './events.ts';
import type { AlertRuleFields } from './fields.ts';
import { newRule, settled, type AlertRuleInput, type NewAlertRule } from './settings.ts';

export type AlertRule =
  { status: 'absent' } | { status: 'active'; id: string; fields: AlertRuleFields } | { status: 'deleted' };

const { existing, requireAbsent, onExisting } = lifecycleOf<AlertRule>('alert rule');

/** @throws Conflict */
export const createAlertRule = (
  rule: AlertRule,
  rule_id: string,
  organization_id: string,
  input: NewAlertRule,
): AlertRuleEvent => {
  requireAbsent(rule);
  return { type: 'AlertRuleCreated', data: { rule_id, organization_id, rule: newRule(input) } };
};

/** Changes what differs. @throws NotFound */
export const updateAlertRule = (rule: AlertRule, input: AlertRuleInput): AlertRuleEvent[] => {
  const { id, fields } = existing(rule);
  const changed = changedFields(fields, settled(fields, input));
  return changed ? [{ type: 'AlertRuleUpdated', data: { rule_id: id, ...changed } }] : [];
};

/** @throws NotFound */
export const deleteAlertRule = (rule: AlertRule): AlertRuleEvent => ({
  type: 'AlertRuleDeleted',
  data: { rule_id: existing(rule).id },
});

const evolve = (rule: AlertRule, event: AlertRuleEvent): AlertRule => {
  switch (event.type) {
    case 'AlertRuleCreated':
      return { status: 'active', id: event.data.rule_id, fields: event.data.rule };
    case 'AlertRuleUpdated':
      return onExisting(rule, (active) => ({ ...active, fields: { ...active.fields, ...event.data.changes } }));
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
