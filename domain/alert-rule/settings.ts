import type { Fields } from '../fields.ts';
import { DAY_SECONDS, type Instant } from '../time.ts';
import { PARAMETERS, type AlertRuleFields, type ConditionParameters } from './fields.ts';

/** The defaults of a new rule (docs/reference/alert-rules.md#rule-fields). */
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

/** The default window of `uptime_below_threshold`, in seconds: a day. */
export const DEFAULT_WINDOW_SECONDS = DAY_SECONDS;
/** The fields of a rule in a request. `condition_parameters: null` counts as absent. */
export interface AlertRuleInput extends Partial<Omit<AlertRuleFields, 'condition_parameters'>> {
  condition_parameters?: ConditionParameters | null;
  /**
   * Until this instant, the rule's alerts send no messages. null: not muted. The instant is stored by a separate event,
   * not as a field of the rule.
   */
  muted_until?: Instant | null;
}

/** The body of a request that creates a rule, with a check or a tag. */
export type NewAlertRule = AlertRuleInput & Pick<AlertRuleFields, 'name' | 'condition' | 'channel_ids'>;

/** Returns the parameters that belong to the rule's condition, with defaults. Other parameters are dropped. */
const parametersOf = ({ condition, condition_parameters: sent }: AlertRuleFields): ConditionParameters => {
  const defaults: ConditionParameters =
    condition === 'uptime_below_threshold' ? { window_seconds: DEFAULT_WINDOW_SECONDS } : {};
  const given: Fields = { ...defaults, ...sent };
  return Object.fromEntries(
    PARAMETERS[condition].flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
  );
};

/**
 * Returns the fields of a rule after an input. Parameters are replaced as a whole. Parameters of other conditions are
 * dropped, and so is a region count without the mode `specific_count`. A check replaces a tag, and a tag replaces a
 * check, unless the input has both.
 *
 * @param before the current fields; the defaults for a new rule
 */
export const withDefaults = (before: AlertRuleFields, input: AlertRuleInput): AlertRuleFields => {
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

/** Returns the fields of a new rule, with defaults for absent fields. */
export const newRule = (input: NewAlertRule): AlertRuleFields => {
  const { name, condition, channel_ids } = input;
  return withDefaults({ ...ALERT_RULE_DEFAULTS, name, condition, channel_ids }, input);
};
