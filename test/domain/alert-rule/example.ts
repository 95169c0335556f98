import type { AlertRuleFields } from '../../../domain/alert-rule/fields.ts';

/** A rule with nothing special about it. */
export const aRule = (changes: Partial<AlertRuleFields> = {}): AlertRuleFields => ({
  name: 'API is down',
  check_id: 'check0000001',
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
