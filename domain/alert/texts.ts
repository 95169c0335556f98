import type { AlertRuleFields, ConditionParameters } from '../alert-rule/fields.ts';
import { unreachable } from '../decider.ts';
import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS, type Instant } from '../time.ts';
import type { AlertFired } from './events.ts';

/** The title and the description of an alert. */
type Texts = Pick<AlertFired, 'title' | 'description'>;

export interface DescribedAlert {
  rule: Pick<AlertRuleFields, 'condition' | 'condition_parameters'>;
  check: { name: string; type: string };
  /** since when the condition has been met, as far as the stored runs show */
  since: Instant;
  /** the result of each region */
  regional_summary: AlertFired['regional_summary'];
  /** uptime in percent; only for `uptime_below_threshold` */
  uptime?: number | null;
}

/**
 * Returns the title and the description of a new alert in English. The description names the check, the problem, when
 * the problem began, and the affected regions.
 */
export const textsOf = ({ rule, check, since, regional_summary, uptime = null }: DescribedAlert): Texts => {
  const [title, problem] = titleAndProblem(rule, check.name, uptime);
  const when = `since ${readableInstant(since)}`;
  return {
    title,
    description: [`${problem} ${when}${where(regional_summary)}.`, ...lastError(regional_summary)].join(' '),
  };
};

/** Returns the title, and the beginning of the description. The caller completes the sentence with `since …`. */
const titleAndProblem = (
  { condition, condition_parameters: parameters }: DescribedAlert['rule'],
  name: string,
  uptime: number | null,
): [string, string] => {
  switch (condition) {
    case 'check_failed':
      return [`${name} is down`, `The check ${name} has failed`];
    case 'check_timeout':
      return [`${name} times out`, `The check ${name} has timed out`];
    case 'check_degraded':
      return [`${name} is slow`, `The check ${name} has taken more than ${numberOf(parameters, 'response_time')} ms`];
    case 'consecutive_failures':
      return [
        `${name} failed ${numberOf(parameters, 'count')} times in a row`,
        `The last ${numberOf(parameters, 'count')} runs of the check ${name} have failed,`,
      ];
    case 'uptime_below_threshold': {
      const threshold = `${numberOf(parameters, 'threshold')} %`;
      const value = uptime === null ? '' : `${uptime} %, `;
      return [
        `Uptime of ${name} is below ${threshold}`,
        `The uptime of the check ${name} over ${lengthOf(parameters.window_seconds ?? 0)} is ${value}below ${threshold},`,
      ];
    }
    default:
      return unreachable(condition);
  }
};

const numberOf = (parameters: ConditionParameters, field: keyof ConditionParameters): string =>
  (parameters[field] ?? 0).toString();

/**
 * Describes a length in the largest unit that gives a whole number greater than one, such as `the last 24 hours`.
 */
const lengthOf = (seconds: number): string => {
  const [unit, name] = (
    [
      [DAY_SECONDS, 'days'],
      [HOUR_SECONDS, 'hours'],
      [MINUTE_SECONDS, 'minutes'],
    ] as const
  ).find(([length]) => seconds % length === 0 && seconds > length) ?? [1, 'seconds'];
  return `the last ${seconds / unit} ${name}`;
};

/** Returns an instant as readable text: `2026-11-20 15:04:05 UTC`. */
export const readableInstant = (instant: Instant): string => `${instant.slice(0, 10)} ${instant.slice(11, 19)} UTC`;

/**
 * For a multi-region run, returns a list of the regions in which the condition is met. For a single region, returns an
 * empty text.
 */
const where = (regions: AlertFired['regional_summary']): string => {
  if (regions.length < 2) return '';
  const holding = regions.filter(({ holds }) => holds).map(({ region }) => region);
  return `, in ${holding.length} of ${regions.length} regions (${holding.join(', ')})`;
};

const lastError = (regions: AlertFired['regional_summary']): string[] => {
  const error = regions.find(({ holds, error_message }) => holds && error_message !== null)?.error_message;
  return error === undefined || error === null ? [] : [`Last error: ${error}`];
};
