import { regionCountOf } from '../check/parallel.ts';
import { checkTypeOf } from '../check/types/index.ts';
import type { StoredParameters } from '../check/events.ts';
import { PARAMETERS, type AlertRuleFields } from './fields.ts';

/** What of a check decides whether a condition can ever hold. */
export interface WatchedCheck {
  type: string;
  timeout: number;
  parameters: StoredParameters;
}

/** What a rule is held against. */
export interface Surroundings {
  /** null: there is no such check in the organization, or the rule is by tag */
  check: WatchedCheck | null;
  /** the channels that are there, of those that the rule names */
  channels: ReadonlySet<string>;
  /** how long results are kept, whole days */
  retentionDays: number;
}

/** What is said of channels that are not there. */
export const noSuchChannels = (ids: readonly string[]): string => `There are no such channels: ${ids.join(', ')}.`;

/** Sentences by field. */
export type RuleProblems = Record<string, string[]>;

const DAY_SECONDS = 86_400;
const MISSING = 'Missing required field.';

/** What the condition lacks, by field: each parameter that it has is required. */
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
 * What is wrong with a rule beyond the form of its fields: what it names is not there, or the check can never satisfy
 * the condition (decisions.md: Alerts). Nothing is said again about fields that stay as they are, so that a rule
 * can be sent back whole.
 *
 * @param changed the fields that are new
 */
export const ruleProblems = (
  rule: AlertRuleFields,
  changed: ReadonlySet<string>,
  { check, channels, retentionDays }: Surroundings,
): RuleProblems => {
  const about = (...fields: (keyof AlertRuleFields)[]): boolean => fields.some((field) => changed.has(field));
  const unknown = rule.channel_ids.filter((id) => !channels.has(id));
  const problems: RuleProblems = {};
  Object.assign(problems, aboutProblems(rule, check));
  if (about('channel_ids') && unknown.length > 0) problems['channel_ids'] = [noSuchChannels(unknown)];
  if (about('condition', 'condition_parameters')) {
    const { window_seconds: seconds } = rule.condition_parameters;
    if (seconds !== undefined && seconds > retentionDays * DAY_SECONDS) {
      problems['condition_parameters.window_seconds'] = [
        `Must be less than or equal to ${(retentionDays * DAY_SECONDS).toString()}: results are kept for ${retentionDays.toString()} days.`,
      ];
    }
  }
  if (check === null) return problems;
  if (rule.condition === 'check_degraded' && about('check_id', 'condition', 'condition_parameters')) {
    Object.assign(problems, degradedProblems(rule, check));
  }
  if (rule.multi_region_threshold && about('check_id', 'multi_region_mode', 'multi_region_threshold')) {
    const regions = regionCountOf(check.parameters);
    if (rule.multi_region_threshold.count > regions) {
      problems['multi_region_threshold.count'] = [
        regions === 1
          ? 'Must be 1: a run of the check takes place in one region.'
          : `Must be less than or equal to ${regions.toString()}: a run of the check takes place in so many regions.`,
      ];
    }
  }
  return problems;
};

/** What is wrong with what a rule watches: one check, or all that have a tag. */
const aboutProblems = ({ check_id, tag }: AlertRuleFields, check: WatchedCheck | null): RuleProblems => {
  if (check_id === null) return tag === null ? { check_id: [MISSING] } : {};
  if (tag !== null)
    return { tag: ['A rule watches one check or the checks with a tag. Send only one of check_id and tag.'] };
  return check === null ? { check_id: ['There is no such check.'] } : {};
};

/** A result is only degraded if it is good, and good ones come before the time limit. */
const degradedProblems = ({ condition_parameters: { response_time } }: AlertRuleFields, check: WatchedCheck) => {
  const type = checkTypeOf(check.type);
  if (!type.timesAnswers) return { condition: [`A ${type.name} check has no response time.`] };
  const limit = type.timeLimit(check.timeout, check.parameters);
  return response_time === undefined || response_time < limit
    ? {}
    : {
        'condition_parameters.response_time': [
          `Must be less than ${limit.toString()}: after so many milliseconds the check has timed out.`,
        ],
      };
};
