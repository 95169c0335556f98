import type { AlertRuleFields } from '../../../domain/alert-rule/fields.ts';
import type { Fact } from '../../projections/history.ts';

export const organization_id = 'org000000001';
export const rule_id = 'rule00000001';
export const check_id = 'check0000001';

/** Returns the fields of an ordinary alert rule. */
export const aRule = (changes: Partial<AlertRuleFields> = {}): AlertRuleFields => ({
  name: 'API is down',
  check_id,
  tag: null,
  condition: 'check_failed',
  condition_parameters: {},
  multi_region_mode: 'any_region',
  multi_region_threshold: null,
  severity: 'medium',
  channel_ids: ['channel00001'],
  cooldown_period: 300,
  auto_resolve: true,
  enabled: true,
  confirmations: 1,
  recovery_confirmations: 1,
  ...changes,
});

export const rule = aRule({
  condition: 'consecutive_failures',
  condition_parameters: { count: 3 },
  severity: 'high',
});
export const created: Fact = { type: 'AlertRuleCreated', data: { rule_id, organization_id, rule } };
export const disabled: Fact = {
  type: 'AlertRuleUpdated',
  data: { rule_id, changes: { enabled: false }, previous: { enabled: true } },
};
export const MUTED_UNTIL = '2026-11-20T16:00:00.000000';
export const muted: Fact = { type: 'AlertRuleMuted', data: { rule_id, muted_until: MUTED_UNTIL, previous: null } };
export const moved: Fact = {
  type: 'AlertRuleUpdated',
  data: { rule_id, changes: { check_id: 'check0000002' }, previous: { check_id } },
};
export const deleted: Fact = { type: 'AlertRuleDeleted', data: { rule_id } };
