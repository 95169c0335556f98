import { regionCountOf } from '../check/multi-region.ts';
import { checkTypeOf } from '../check/types/index.ts';
import type { StoredParameters } from '../check/events.ts';
import { PARAMETERS, type AlertRuleFields } from './fields.ts';
import { DAY_SECONDS } from '../time.ts';

/** The fields of a check that decide whether a condition can ever be met. */
export interface MonitoredCheck {
  type: string;
  timeout: number;
  parameters: StoredParameters;
}

/** The stored data that a rule is validated against. */
export interface RuleReferences {
  /** null if the organization has no such check, or if the rule watches a tag */
  check: MonitoredCheck | null;
  /** ids of the existing channels among the rule's channels */
  channels: ReadonlySet<string>;
  /** how long results are stored, in days */
  retentionDays: number;
}

/** The error message for channels that do not exist. */
export const noSuchChannels = (ids: readonly string[]): string => `There are no such channels: ${ids.join(', ')}.`;

/** Error messages by field. */
export type RuleProblems = Record<string, string[]>;

const MISSING = 'Missing required field.';

/** Returns the errors for missing parameters. All parameters of a condition are required. */
export const missingParameters = (rule: AlertRuleFields): RuleProblems => ({
  ...Object.fromEntries(
    PARAMETERS[rule.condition]
      .filter((name) => rule.condition_parameters[name] === undefined)
      .map((name) => [`condition_parameters.${name}`, [MISSING]]),
  ),
  ...(rule.multi_region_mode === 'specific_count' &&
    rule.multi_region_threshold === null && { 'multi_region_threshold.count': [MISSING] }),
});

/**
 * Validates a rule beyond the schema of its fields: the check and the channels must exist, and the check must be able
 * to meet the condition (docs/reference/alert-rules.md#impossible-conditions). Unchanged fields are not validated
 * again, so that a client can send back a whole rule that it has read.
 *
 * @param changed the names of the changed fields
 */
export const ruleProblems = (
  rule: AlertRuleFields,
  changed: ReadonlySet<string>,
  { check, channels, retentionDays }: RuleReferences,
): RuleProblems => {
  const isChanged = (...fields: (keyof AlertRuleFields)[]): boolean => fields.some((field) => changed.has(field));
  const unknown = rule.channel_ids.filter((id) => !channels.has(id));
  const problems: RuleProblems = {};
  Object.assign(problems, subjectProblems(rule, check));
  if (isChanged('channel_ids') && unknown.length > 0) problems['channel_ids'] = [noSuchChannels(unknown)];
  if (isChanged('condition', 'condition_parameters')) {
    const { window_seconds: seconds } = rule.condition_parameters;
    if (seconds !== undefined && seconds > retentionDays * DAY_SECONDS) {
      problems['condition_parameters.window_seconds'] = [
        `Must be less than or equal to ${retentionDays * DAY_SECONDS}: results are stored for ${retentionDays} days.`,
      ];
    }
  }
  if (check === null) return problems;
  if (rule.condition === 'check_degraded' && isChanged('check_id', 'condition', 'condition_parameters')) {
    Object.assign(problems, degradedProblems(rule, check));
  }
  if (rule.multi_region_threshold && isChanged('check_id', 'multi_region_mode', 'multi_region_threshold')) {
    const regions = regionCountOf(check.parameters);
    if (rule.multi_region_threshold.count > regions) {
      problems['multi_region_threshold.count'] = [
        regions === 1
          ? 'Must be 1: the check runs in one region.'
          : `Must be less than or equal to ${regions}, the number of regions of a run.`,
      ];
    }
  }
  return problems;
};

/** Validates that a rule watches either one existing check or a tag. */
const subjectProblems = ({ check_id, tag }: AlertRuleFields, check: MonitoredCheck | null): RuleProblems => {
  if (check_id === null) return tag === null ? { check_id: [MISSING] } : {};
  if (tag !== null)
    return { tag: ['A rule watches one check or the checks with a tag. Send only one of check_id and tag.'] };
  return check === null ? { check_id: ['There is no such check.'] } : {};
};

/**
 * Validates the response time of `check_degraded`. Only successful results can be degraded, and a success takes less
 * time than the timeout. So the limit must be below the timeout.
 */
const degradedProblems = ({ condition_parameters: { response_time } }: AlertRuleFields, check: MonitoredCheck) => {
  const type = checkTypeOf(check.type);
  if (!type.timesAnswers) return { condition: [`A ${type.name} check has no response time.`] };
  const limit = type.timeLimit(check.timeout, check.parameters);
  return response_time === undefined || response_time < limit
    ? {}
    : {
        'condition_parameters.response_time': [`Must be less than ${limit}, the timeout of the check in milliseconds.`],
      };
};
