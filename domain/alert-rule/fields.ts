import { Type, type Static, type TSchema } from '@sinclair/typebox';
import { managedBy } from '../managed/managed-by.ts';

/** The conditions of rules (docs/reference/alert-rules.md#conditions). */
export const CONDITIONS = [
  'check_failed',
  'check_timeout',
  'check_degraded',
  'consecutive_failures',
  'uptime_below_threshold',
] as const;
export type Condition = (typeof CONDITIONS)[number];

/** Modes that define in how many regions of a run the condition must be met. */
export const MULTI_REGION_MODES = ['any_region', 'all_regions', 'majority', 'specific_count'] as const;
export type MultiRegionMode = (typeof MULTI_REGION_MODES)[number];

/** Severities of alerts, from the least to the most severe. */
export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

const oneOf = <T extends string>(texts: readonly T[]) => Type.Union(texts.map((text) => Type.Literal(text)));

export const ConditionName = oneOf(CONDITIONS);
export const SeverityName = oneOf(SEVERITIES);

/** The parameters of all conditions. {@link PARAMETERS} lists the parameters that belong to each condition. */
export const ConditionParameters = Type.Partial(
  Type.Object({
    /** check_degraded: milliseconds; a successful result that took longer is degraded */
    response_time: Type.Integer(),
    /** consecutive_failures: number of runs */
    count: Type.Integer(),
    /** uptime_below_threshold: percent */
    threshold: Type.Number(),
    /** uptime_below_threshold: length of the window that ends now, in seconds */
    window_seconds: Type.Integer(),
  }),
);
export type ConditionParameters = Static<typeof ConditionParameters>;

/** The names of each condition's parameters. */
export const PARAMETERS = {
  check_failed: [],
  check_timeout: [],
  check_degraded: ['response_time'],
  consecutive_failures: ['count'],
  uptime_below_threshold: ['threshold', 'window_seconds'],
} as const satisfies Record<Condition, readonly (keyof ConditionParameters)[]>;

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** The fields of a rule that the API can set. */
export const AlertRuleFields = Type.Object({
  name: Type.String(),
  /** id of the watched check; null for a rule that watches a tag */
  check_id: nullable(Type.String()),
  /**
   * the tag whose checks the rule watches, with separate alerts for each check; null for a rule that watches one check
   */
  tag: nullable(Type.String()),
  condition: ConditionName,
  condition_parameters: ConditionParameters,
  multi_region_mode: oneOf(MULTI_REGION_MODES),
  /** the number of regions for `specific_count`; null with the other modes */
  multi_region_threshold: Type.Union([Type.Object({ count: Type.Integer() }), Type.Null()]),
  severity: SeverityName,
  /** not empty when the rule was saved; channels that were deleted later are ignored */
  channel_ids: Type.Array(Type.String()),
  /** cooldown: seconds after the start of an alert in which the rule starts no other alert */
  cooldown_period: Type.Integer(),
  /** whether an alert is resolved automatically when the condition is no longer met */
  auto_resolve: Type.Boolean(),
  enabled: Type.Boolean(),
  /** in how many consecutive runs the condition must be met before an alert starts */
  confirmations: Type.Integer(),
  /** in how many consecutive runs the condition must not be met before an alert is resolved automatically */
  recovery_confirmations: Type.Integer(),
  ...managedBy,
});
export type AlertRuleFields = Static<typeof AlertRuleFields>;
