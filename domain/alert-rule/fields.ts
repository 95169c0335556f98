import { Type, type Static, type TSchema } from '@sinclair/typebox';

/** When a rule holds (decisions.md: Alerts). */
export const CONDITIONS = [
  'check_failed',
  'check_timeout',
  'check_degraded',
  'consecutive_failures',
  'uptime_below_threshold',
] as const;
export type Condition = (typeof CONDITIONS)[number];

/** In how many regions of one run the condition must hold. */
export const MULTI_REGION_MODES = ['any_region', 'all_regions', 'majority', 'specific_count'] as const;
export type MultiRegionMode = (typeof MULTI_REGION_MODES)[number];

/** From the least severe to the most severe one. */
export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

const oneOf = <T extends string>(texts: readonly T[]) => Type.Union(texts.map((text) => Type.Literal(text)));

export const ConditionName = oneOf(CONDITIONS);
export const SeverityName = oneOf(SEVERITIES);

/** What a condition compares with: each condition has those that {@link PARAMETERS} names, and no others. */
export const ConditionParameters = Type.Partial(
  Type.Object({
    /** check_degraded: milliseconds; a good result that took longer is degraded */
    response_time: Type.Integer(),
    /** consecutive_failures: runs */
    count: Type.Integer(),
    /** uptime_below_threshold: percent */
    threshold: Type.Number(),
    /** uptime_below_threshold: seconds up to now */
    window_seconds: Type.Integer(),
  }),
);
export type ConditionParameters = Static<typeof ConditionParameters>;

/** The parameters of each condition. */
export const PARAMETERS = {
  check_failed: [],
  check_timeout: [],
  check_degraded: ['response_time'],
  consecutive_failures: ['count'],
  uptime_below_threshold: ['threshold', 'window_seconds'],
} as const satisfies Record<Condition, readonly (keyof ConditionParameters)[]>;

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** What a rule is set to; all that its interface writes. */
export const AlertRuleFields = Type.Object({
  name: Type.String(),
  /** the check that it watches; null: it is by tag */
  check_id: nullable(Type.String()),
  /** it watches each check that has this tag, and each has alerts of its own; null: it watches one check */
  tag: nullable(Type.String()),
  condition: ConditionName,
  condition_parameters: ConditionParameters,
  multi_region_mode: oneOf(MULTI_REGION_MODES),
  /** how many regions `specific_count` asks for; null with the other modes */
  multi_region_threshold: Type.Union([Type.Object({ count: Type.Integer() }), Type.Null()]),
  severity: SeverityName,
  /** at least one when it was set; a channel that was deleted meanwhile is left out by readers */
  channel_ids: Type.Array(Type.String()),
  /** seconds from the start of an alert in which the rule starts no other one */
  cooldown_period: Type.Integer(),
  /** whether its alert ends by itself when the condition no longer holds */
  auto_resolve: Type.Boolean(),
  enabled: Type.Boolean(),
  /** in how many runs, one after another, the condition must hold before an alert starts */
  confirmations: Type.Integer(),
  /** in how many runs, one after another, it must not hold before the alert ends by itself */
  recovery_confirmations: Type.Integer(),
});
export type AlertRuleFields = Static<typeof AlertRuleFields>;
