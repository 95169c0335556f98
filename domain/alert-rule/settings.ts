import type { Fields } from '../fields.ts';
import type { Instant } from '../time.ts';
import { PARAMETERS, type AlertRuleFields, type ConditionParameters } from './fields.ts';

/** What a new rule is set to where nothing was sent (decisions.md: Alerts). */
export const ALERT_RULE_DEFAULTS = {
  check_id: null,
  tag: null,
  condition_parameters: {},
  multi_region_mode: 'any_region',
  multi_region_threshold: null,
  severity: 'medium',
  cooldown_period: 300,
  auto_resolve: true,
  enabled: true,
  confirmations: 1,
  recovery_confirmations: 1,
} as const satisfies Partial<AlertRuleFields>;

/** The window of `uptime_below_threshold` where none was sent: a day. */
export const DEFAULT_WINDOW_SECONDS = 86_400;

/** Fields of a rule as a caller sends them; null parameters are none. */
export interface AlertRuleInput extends Partial<Omit<AlertRuleFields, 'condition_parameters'>> {
  condition_parameters?: ConditionParameters | null;
  /** until when its alerts send nothing; null: it is not muted. No field of the rule: it has an event of its own */
  muted_until?: Instant | null;
}

/** A rule as a caller sends it to be made: with a check or a tag. */
export type NewAlertRule = AlertRuleInput & Pick<AlertRuleFields, 'name' | 'condition' | 'channel_ids'>;

/** The parameters that the condition has; others are left out, as unknown fields are. */
const parametersOf = ({ condition, condition_parameters: sent }: AlertRuleFields): ConditionParameters => {
  const defaults: ConditionParameters =
    condition === 'uptime_below_threshold' ? { window_seconds: DEFAULT_WINDOW_SECONDS } : {};
  const given: Fields = { ...defaults, ...sent };
  return Object.fromEntries(
    PARAMETERS[condition].flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
  );
};

/**
 * What a rule is set to after an input. Parameters are replaced whole; those that the condition does not have, and a
 * number of regions that the mode does not ask for, are left out. A check takes the place of a tag, and a tag that of a
 * check, unless the input names both.
 *
 * @param before as it is; for a new one the defaults
 */
export const settled = (before: AlertRuleFields, input: AlertRuleInput): AlertRuleFields => {
  const sent = Object.fromEntries(
    Object.entries(input).filter(([field, value]) => value !== undefined && field !== 'muted_until'),
  ) as AlertRuleInput;
  const { condition_parameters = before.condition_parameters, ...others } = sent;
  const merged: AlertRuleFields = {
    ...before,
    ...(typeof sent.check_id === 'string' && { tag: null }),
    ...(typeof sent.tag === 'string' && { check_id: null }),
    ...others,
    condition_parameters: condition_parameters ?? {},
  };
  return {
    ...merged,
    condition_parameters: parametersOf(merged),
    multi_region_threshold: merged.multi_region_mode === 'specific_count' ? merged.multi_region_threshold : null,
    channel_ids: [...new Set(merged.channel_ids)],
  };
};

/** A new rule with its defaults. */
export const newRule = (input: NewAlertRule): AlertRuleFields => {
  const { name, condition, channel_ids } = input;
  return settled({ ...ALERT_RULE_DEFAULTS, name, condition, channel_ids }, input);
};
