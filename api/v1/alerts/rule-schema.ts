import { Type, type Static } from '@sinclair/typebox';
import { CONDITIONS, MULTI_REGION_MODES, SEVERITIES } from '../../../domain/alert-rule/fields.ts';
import { ALERT_RULE_DEFAULTS, DEFAULT_WINDOW_SECONDS } from '../../../domain/alert-rule/settings.ts';
import type { AlertRuleView } from '../../../queries/alerts/alert-rules.ts';
import { presenting } from '../../present.ts';
import {
  choice,
  defaulting,
  Id,
  InstantOut,
  mutedUntilIn,
  mutedUntilOut,
  named,
  nullable,
  partial,
  Revision,
  Tag,
  text,
} from '../../schema.ts';
import { Channel, presentChannel } from './channel-schema.ts';

/** The longest window that any service keeps results for is shorter where it keeps them less long. */
const LONGEST_WINDOW_SECONDS = 30 * 86_400;
const LONGEST_COOLDOWN_SECONDS = 30 * 86_400;
const MOST_CHANNELS = 50;
const MOST_CONFIRMATIONS = 10;

/** Each condition has its own parameters; others are ignored. */
const ConditionParameters = Type.Partial(
  Type.Object({
    response_time: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'check_degraded: milliseconds; good results that took longer',
    }),
    count: Type.Integer({ minimum: 1, maximum: 100, description: 'consecutive_failures: runs' }),
    threshold: Type.Number({ exclusiveMinimum: 0, maximum: 100, description: 'uptime_below_threshold: percent' }),
    window_seconds: Type.Integer({
      minimum: 3_600,
      maximum: LONGEST_WINDOW_SECONDS,
      description: `uptime_below_threshold: up to now, ${DEFAULT_WINDOW_SECONDS.toString()} if absent; results must be kept for as long`,
    }),
  }),
);

const runs = Type.Integer({ minimum: 1, maximum: MOST_CONFIRMATIONS });

/** The fields of a rule that a caller sets. */
export const ruleFields = {
  name: text(100, { min: 1 }),
  check_id: nullable({ ...Id, description: 'the check that it watches; null: it is by tag' }),
  tag: nullable({
    ...Tag,
    description: 'in place of check_id: it watches each check with this tag, with an alert for each',
  }),
  condition: choice(CONDITIONS),
  condition_parameters: nullable(ConditionParameters),
  multi_region_mode: choice(MULTI_REGION_MODES, {
    description: 'in how many regions of a run the condition must hold',
  }),
  multi_region_threshold: nullable(
    Type.Object({ count: Type.Integer({ minimum: 1, maximum: 100 }) }, { description: 'of specific_count' }),
  ),
  severity: choice(SEVERITIES),
  channel_ids: Type.Array(Id, { minItems: 1, maxItems: MOST_CHANNELS }),
  cooldown_period: Type.Integer({
    minimum: 0,
    maximum: LONGEST_COOLDOWN_SECONDS,
    description: 'seconds from the start of an alert in which the rule starts no other',
  }),
  auto_resolve: Type.Boolean(),
  enabled: Type.Boolean(),
  confirmations: { ...runs, description: 'runs in a row in which it must hold before an alert starts' },
  recovery_confirmations: { ...runs, description: 'runs in a row in which it must not hold before the alert ends' },
  muted_until: mutedUntilIn,
};

const { name, check_id, tag, condition, channel_ids } = ruleFields;

export const NewRule = Type.Object({
  ...defaulting(ruleFields, { ...ALERT_RULE_DEFAULTS, muted_until: null }),
  name,
  condition,
  channel_ids,
});
export const RuleChange = partial(Type.Object(ruleFields));

/** What keeps a rule from telling anybody: a maintenance in progress. */
const Suppression = Type.Object({ incident_id: Id, name: Type.String() });

export const Rule = named(
  'AlertRule',
  Type.Object({
    id: Id,
    name,
    check_id,
    tag,
    check_name: nullable(Type.String({ description: 'null: the rule is by tag' })),
    condition,
    condition_parameters: ConditionParameters,
    multi_region_mode: ruleFields.multi_region_mode,
    multi_region_threshold: ruleFields.multi_region_threshold,
    severity: ruleFields.severity,
    channel_ids: Type.Array(Id),
    channels: Type.Array(Channel),
    cooldown_period: ruleFields.cooldown_period,
    auto_resolve: ruleFields.auto_resolve,
    enabled: ruleFields.enabled,
    confirmations: ruleFields.confirmations,
    recovery_confirmations: ruleFields.recovery_confirmations,
    muted_until: mutedUntilOut,
    suppressed_by: nullable({
      ...Suppression,
      description: 'the maintenance in progress that names its check or a tag of it',
    }),
    revision: Revision,
    created_at: InstantOut,
    updated_at: InstantOut,
  }),
);

const presentFields = presenting(Rule, ['channels']);

/** A rule as the API shows it. */
export const presentRule = (rule: AlertRuleView): Static<typeof Rule> =>
  presentFields(rule, { channels: rule.channels.map((channel) => presentChannel(channel)) });
