import { Type, type Static } from '@sinclair/typebox';
import { CONDITIONS, MULTI_REGION_MODES, SEVERITIES } from '../../../../domain/alert-rule/fields.ts';
import { ALERT_RULE_DEFAULTS, DEFAULT_WINDOW_SECONDS } from '../../../../domain/alert-rule/settings.ts';
import type { AlertRuleView } from '../../../../queries/alerts/alert-rules.ts';
import { createPresenter } from '../../../presenter.ts';
import {
  choice,
  withDefaults,
  Id,
  InstantOut,
  ManagedBy,
  mutedUntilIn,
  mutedUntilOut,
  namedSchema,
  nullable,
  partial,
  Revision,
  Tag,
  text,
} from '../../../schema.ts';
import { AlertChannelSchema, presentAlertChannel } from '../channels/schema.ts';

/**
 * Upper limit of the window, in seconds. If the service retains results for a shorter time, the retention period is the
 * limit.
 */
const LONGEST_WINDOW_SECONDS = 30 * 86_400;
const LONGEST_COOLDOWN_SECONDS = 30 * 86_400;
const MOST_CHANNELS = 50;
const MOST_CONFIRMATIONS = 10;

/** The parameters of all conditions. A condition ignores parameters that belong to other conditions. */
const ConditionParameters = Type.Partial(
  Type.Object({
    response_time: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'For `check_degraded`: successful results that took longer than this many milliseconds count.',
    }),
    count: Type.Integer({ minimum: 1, maximum: 100, description: 'For `consecutive_failures`: the number of runs.' }),
    threshold: Type.Number({
      exclusiveMinimum: 0,
      maximum: 100,
      description: 'For `uptime_below_threshold`: percent.',
    }),
    window_seconds: Type.Integer({
      minimum: 3_600,
      maximum: LONGEST_WINDOW_SECONDS,
      description: `For \`uptime_below_threshold\`: the period up to now. Default: ${DEFAULT_WINDOW_SECONDS}. It must not exceed the retention period of results.`,
    }),
  }),
);

const runs = Type.Integer({ minimum: 1, maximum: MOST_CONFIRMATIONS });

/** The fields of a rule that a client can set. */
export const ruleFields = {
  name: text(100, { min: 1 }),
  check_id: nullable({ ...Id, description: 'The check that the rule monitors. Null if the rule has a tag.' }),
  tag: nullable({
    ...Tag,
    description: 'Instead of `check_id`: the rule monitors every check with this tag and raises an alert for each.',
  }),
  condition: choice(CONDITIONS),
  condition_parameters: nullable(ConditionParameters),
  multi_region_mode: choice(MULTI_REGION_MODES, {
    description: 'In how many regions of a run the condition must hold.',
  }),
  multi_region_threshold: nullable(
    Type.Object({ count: Type.Integer({ minimum: 1, maximum: 100 }) }, { description: 'For `specific_count`.' }),
  ),
  severity: choice(SEVERITIES),
  channel_ids: Type.Array(Id, { minItems: 1, maxItems: MOST_CHANNELS }),
  cooldown_period: Type.Integer({
    minimum: 0,
    maximum: LONGEST_COOLDOWN_SECONDS,
    description: 'Seconds after the start of an alert during which the rule starts no other alert.',
  }),
  auto_resolve: Type.Boolean(),
  enabled: Type.Boolean(),
  confirmations: { ...runs, description: 'Consecutive runs in which the condition must hold before an alert starts.' },
  recovery_confirmations: {
    ...runs,
    description: 'Consecutive runs in which the condition must not hold before the alert ends.',
  },
  muted_until: mutedUntilIn,
  managed_by: ManagedBy,
};

const { name, check_id, tag, condition, channel_ids } = ruleFields;

export const NewAlertRuleBody = Type.Object({
  ...withDefaults(ruleFields, { ...ALERT_RULE_DEFAULTS, muted_until: null }),
  name,
  condition,
  channel_ids,
});
export const AlertRuleChangeBody = partial(Type.Object(ruleFields));

/** The maintenance in progress that suppresses the notifications of a rule. */
const Suppression = Type.Object({ incident_id: Id, name: Type.String() });

export const AlertRuleSchema = namedSchema(
  'AlertRule',
  Type.Object({
    id: Id,
    name,
    check_id,
    tag,
    check_name: nullable(Type.String({ description: 'Null if the rule has a tag.' })),
    condition,
    condition_parameters: ConditionParameters,
    multi_region_mode: ruleFields.multi_region_mode,
    multi_region_threshold: ruleFields.multi_region_threshold,
    severity: ruleFields.severity,
    channel_ids: Type.Array(Id),
    channels: Type.Array(AlertChannelSchema),
    cooldown_period: ruleFields.cooldown_period,
    auto_resolve: ruleFields.auto_resolve,
    enabled: ruleFields.enabled,
    confirmations: ruleFields.confirmations,
    recovery_confirmations: ruleFields.recovery_confirmations,
    muted_until: mutedUntilOut,
    suppressed_by: nullable({
      ...Suppression,
      description: 'The maintenance in progress that covers the check of the rule or one of its tags.',
    }),
    managed_by: ruleFields.managed_by,
    revision: Revision,
    created_at: InstantOut,
    updated_at: InstantOut,
  }),
);

const presentFields = createPresenter(AlertRuleSchema, ['channels']);

/** Converts a rule to its form in responses. */
export const presentAlertRule = (rule: AlertRuleView): Static<typeof AlertRuleSchema> =>
  presentFields(rule, { channels: rule.channels.map((channel) => presentAlertChannel(channel)) });
