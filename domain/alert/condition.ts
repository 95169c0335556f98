import type { AlertRuleFields } from '../alert-rule/fields.ts';
import { unreachable } from '../decider.ts';
import { HOUR_MS, SECOND_MS, type Instant } from '../time.ts';
import {
  isBadIn,
  isOk,
  type RegionOutcome,
  type HourSums,
  type PastRun,
  type RegionResult,
  type Streaks,
} from './evaluation-inputs.ts';

/** The fields of a rule that define its condition. */
export type RuleCondition = Pick<
  AlertRuleFields,
  'condition' | 'condition_parameters' | 'multi_region_mode' | 'multi_region_threshold'
>;

/** The results that a condition is evaluated on. */
export interface MonitoredWindow {
  /** the runs that count, newest first */
  runs: readonly PastRun[];
  /** numbers of consecutive failed runs directly before the oldest of `runs` */
  earlier: Streaks | null;
  /** numbers of results in the window of an uptime condition, and the start of the window */
  window: Pick<HourSums, 'ok' | 'all'> & { from: Instant };
}

/** Returns the start of the window of an uptime condition, rounded down to a full hour, in milliseconds since 1970. */
export const windowStart = ({ condition_parameters: { window_seconds = 0 } }: RuleCondition, now: number): number =>
  Math.floor((now - window_seconds * SECOND_MS) / HOUR_MS) * HOUR_MS;
/** Returns when the window of an uptime condition next advances by an hour, in milliseconds since 1970. */
export const windowMoves = (rule: RuleCondition, now: number): number =>
  windowStart(rule, now) + HOUR_MS + (rule.condition_parameters.window_seconds ?? 0) * SECOND_MS;
/**
 * Decides by the rule's multi-region mode whether a run meets the condition.
 *
 * @param count the number of regions that meet the condition
 * @param regions the number of regions of the run
 */
const isEnough = (rule: RuleCondition, count: number, regions: number): boolean => {
  const { multi_region_mode: mode, multi_region_threshold: threshold } = rule;
  switch (mode) {
    case 'any_region':
      return count > 0;
    case 'all_regions':
      return count > 0 && count === regions;
    case 'majority':
      return count * 2 > regions;
    case 'specific_count':
      return count >= (threshold?.count ?? 1);
    default:
      return unreachable(mode);
  }
};

/** Returns the number of consecutive failed runs directly before the known runs, by the rule's multi-region mode. */
const badEarlier = (rule: RuleCondition, earlier: Streaks | null): number => {
  if (!earlier) return 0;
  const { multi_region_mode: mode, multi_region_threshold: threshold } = rule;
  if (mode === 'all_regions') return earlier.all;
  if (mode === 'majority') return earlier.majority;
  return earlier.least[mode === 'any_region' ? 0 : (threshold?.count ?? 1) - 1] ?? 0;
};

const isBad = (rule: RuleCondition, run: PastRun): boolean => isEnough(rule, isBadIn(run), run.answers.length);

/** Returns how many consecutive runs have failed, counted from the run at `index` towards older runs. */
const streakAt = (rule: RuleCondition, { runs, earlier }: MonitoredWindow, index: number): number => {
  const good = runs.findIndex((run, i) => i >= index && !isBad(rule, run));
  return good === -1 ? runs.length - index + badEarlier(rule, earlier) : good - index;
};

/** Returns the uptime of the window at the time of the run at `index`, in percent; null without results. */
export const uptimeAt = ({ runs, window }: MonitoredWindow, index: number): number | null => {
  const later = runs
    .slice(0, index)
    .filter(({ at }) => at >= window.from)
    .flatMap(({ answers }) => answers.filter((answer) => answer !== 'silent'));
  const all = window.all - later.length;
  return all <= 0 ? null : ((window.ok - later.filter(isOk).length) / all) * 100;
};

/** Whether an outcome in one region meets the condition. Only for conditions on a single run. */
const holdsIn = ({ condition, condition_parameters: parameters }: RuleCondition, answer: RegionOutcome): boolean => {
  switch (condition) {
    case 'check_timeout':
      return answer === 'timeout' || answer === 'silent';
    case 'check_degraded':
      return typeof answer === 'number' && answer > (parameters.response_time ?? Infinity);
    default:
      return !isOk(answer);
  }
};

/** Whether the condition of a rule was met at the run at `index`. Index 0 is the newest run. */
export const isMetAt = (rule: RuleCondition, watched: MonitoredWindow, index: number): boolean => {
  const run = watched.runs[index];
  if (!run) return false;
  const { condition, condition_parameters: parameters } = rule;
  if (condition === 'consecutive_failures') return streakAt(rule, watched, index) >= (parameters.count ?? Infinity);
  if (condition === 'uptime_below_threshold') {
    const uptime = uptimeAt(watched, index);
    return uptime !== null && uptime < (parameters.threshold ?? 0);
  }
  const met = run.answers.filter((answer) => holdsIn(rule, answer)).length;
  return isEnough(rule, met, run.answers.length);
};

/**
 * Whether there are at least `count` runs, and at each of the newest `count` runs the condition was met (`expected`
 * is true) or not met (`expected` is false).
 */
export const isMetInLast = (rule: RuleCondition, watched: MonitoredWindow, count: number, expected: boolean): boolean =>
  watched.runs.length >= count &&
  watched.runs.slice(0, count).every((_, index) => isMetAt(rule, watched, index) === expected);

/**
 * Returns when the condition began to be met: the end of the first run in the current sequence of runs that meet the
 * condition. For `consecutive_failures`, this is the sequence of failed runs. If the sequence began before the oldest
 * stored run, returns the end of the oldest stored run.
 */
export const metSince = (rule: RuleCondition, watched: MonitoredWindow): Instant | null => {
  const { runs } = watched;
  const part = rule.condition === 'consecutive_failures' ? isBad : null;
  const over = runs.findIndex((run, index) => !(part ? part(rule, run) : isMetAt(rule, watched, index)));
  return runs[over === -1 ? runs.length - 1 : over - 1]?.at ?? null;
};

/**
 * Whether the condition is met in a region of the newest run. A condition on several runs counts as met in each region
 * where the newest run failed.
 */
export const isMetInRegion = (rule: RuleCondition, { status, reason, response_time }: RegionResult): boolean => {
  const answer = status === 'ok' ? response_time : reason === 'timeout' || status === 'timeout' ? 'timeout' : 'bad';
  return holdsIn(rule, answer);
};
