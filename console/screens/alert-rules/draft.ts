import type { Schemas } from '../../api/openapi.d.ts';
import type { RequestOf } from '../../api/request.ts';

export type Rule = Schemas['AlertRule'];
export type Condition = Rule['condition'];
export type RegionMode = Rule['multi_region_mode'];

export const CONDITIONS: readonly Condition[] = [
  'check_failed',
  'consecutive_failures',
  'check_timeout',
  'check_degraded',
  'uptime_below_threshold',
];
export const REGION_MODES: readonly RegionMode[] = ['any_region', 'majority', 'all_regions', 'specific_count'];

/** The values of the rule form. Numbers are null if their field is empty. */
export interface RuleValues {
  name: string;
  /** whether the rule watches one check or every check with a tag */
  about: 'check' | 'tag';
  check_id: string | null;
  tag: string;
  condition: Condition;
  /** milliseconds */
  response_time: number | null;
  count: number | null;
  /** percent */
  threshold: number | null;
  window_seconds: number | null;
  multi_region_mode: RegionMode;
  regions: number | null;
  severity: Rule['severity'];
  channel_ids: readonly string[];
  cooldown_period: number | null;
  auto_resolve: boolean;
  enabled: boolean;
  confirmations: number | null;
  recovery_confirmations: number | null;
  muted_until: string | null;
}

/**
 * Returns the initial values of a new rule. Values in the URL's query, which links may set, take precedence over
 * defaults.
 */
export const newRule = (query: URLSearchParams): RuleValues => ({
  name: '',
  about: query.has('tag') ? 'tag' : 'check',
  check_id: query.get('check_id') || null,
  tag: query.get('tag') ?? '',
  condition: 'check_failed',
  response_time: 2_000,
  count: 3,
  threshold: 99.9,
  window_seconds: 86_400,
  multi_region_mode: 'any_region',
  regions: 2,
  severity: 'high',
  channel_ids: [],
  cooldown_period: 300,
  auto_resolve: true,
  enabled: true,
  confirmations: 2,
  recovery_confirmations: 1,
  muted_until: null,
});

/** Returns the form values of an existing rule. */
export const valuesOfRule = (rule: Rule): RuleValues => {
  const { response_time, count, threshold, window_seconds } = rule.condition_parameters;
  const usual = newRule(new URLSearchParams());
  return {
    name: rule.name,
    about: rule.tag === null ? 'check' : 'tag',
    check_id: rule.check_id,
    tag: rule.tag ?? '',
    condition: rule.condition,
    response_time: response_time ?? usual.response_time,
    count: count ?? usual.count,
    threshold: threshold ?? usual.threshold,
    window_seconds: window_seconds ?? usual.window_seconds,
    multi_region_mode: rule.multi_region_mode,
    regions: rule.multi_region_threshold?.count ?? usual.regions,
    severity: rule.severity,
    channel_ids: rule.channel_ids,
    cooldown_period: rule.cooldown_period,
    auto_resolve: rule.auto_resolve,
    enabled: rule.enabled,
    confirmations: rule.confirmations,
    recovery_confirmations: rule.recovery_confirmations,
    muted_until: rule.muted_until,
  };
};

/** Returns the parameters that the condition needs, from the form values. */
const parametersOf = (values: RuleValues): Record<string, number | null> => {
  const { response_time, count, threshold, window_seconds } = values;
  switch (values.condition) {
    case 'check_failed':
    case 'check_timeout':
      return {};
    case 'check_degraded':
      return { response_time };
    case 'consecutive_failures':
      return { count };
    case 'uptime_below_threshold':
      return { threshold, window_seconds };
  }
};

type Body = RequestOf<'POST /v1/alerts/rules'>['body'];

/**
 * Returns the request body for saving a rule. Empty fields are sent as null or omitted. The API then reports all errors
 * in one response.
 */
export const bodyOf = (values: RuleValues): Body => {
  const { about, check_id, tag, multi_region_mode, regions, muted_until } = values;
  const body: Record<string, unknown> = {
    name: values.name.trim(),
    check_id: about === 'check' ? check_id : null,
    tag: about === 'tag' ? tag.trim() : null,
    condition: values.condition,
    condition_parameters: Object.fromEntries(
      Object.entries(parametersOf(values)).filter(([, value]) => value !== null),
    ),
    multi_region_mode,
    multi_region_threshold:
      multi_region_mode === 'specific_count' ? (regions === null ? {} : { count: regions }) : null,
    severity: values.severity,
    channel_ids: values.channel_ids,
    cooldown_period: values.cooldown_period,
    auto_resolve: values.auto_resolve,
    enabled: values.enabled,
    confirmations: values.confirmations,
    recovery_confirmations: values.recovery_confirmations,
    muted_until: muted_until === null ? null : `${muted_until}Z`,
  };
  return body as unknown as Body;
};
