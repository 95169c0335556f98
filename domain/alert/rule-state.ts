import { instantOf, type Instant } from '../time.ts';
import { windowStart } from './condition.ts';
import type { EvaluationFacts } from './evaluation.ts';
import type { HourSums, RuleInputs } from './evaluation-inputs.ts';

/** The state that a rule is evaluated in, except the results in earlier hours of an uptime window. */
export type RuleState = Pick<EvaluationFacts, 'rule' | 'check' | 'inputs' | 'newestAlert' | 'quiet' | 'now'>;

/** The numbers of results in some hours. */
type Sums = EvaluationFacts['otherHours'];

/** Returns the first hour of the uptime window of a rule; null if the condition of the rule has no window. */
export const firstHourOf = ({ rule, now }: Pick<RuleState, 'rule' | 'now'>): Instant | null =>
  typeof rule === 'string' || rule.condition !== 'uptime_below_threshold' ? null : instantOf(windowStart(rule, now));

/**
 * Returns the facts that the evaluation of a rule depends on.
 *
 * @param firstHour see {@link firstHourOf}
 * @param otherHours sums of the window without its newest hour; null without a window or without results
 */
export const factsOf = (
  { rule, check, inputs, newestAlert, quiet, now }: RuleState,
  firstHour: Instant | null,
  otherHours: Sums | null,
): EvaluationFacts => ({
  rule,
  check,
  inputs,
  newestAlert,
  quiet,
  now,
  windowStart: firstHour ?? '',
  otherHours: otherHours ?? NO_HOURS,
});

const NO_HOURS: Sums = { ok: 0, all: 0 };

/** Returns the sums of hours without the newest hour, whose sums are part of the inputs. */
export const sumOtherHours = (hours: Iterable<HourSums>, newest: NonNullable<RuleInputs['hour']>): Sums => {
  const sums = { ok: 0, all: 0 };
  for (const { hour, ok, all } of hours) {
    if (hour === newest.hour) continue;
    sums.ok += ok;
    sums.all += all;
  }
  return sums;
};
