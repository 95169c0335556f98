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
  /** streaks of the runs right before the oldest of these */
  earlier: Streaks | null;
  /** results in the window of an uptime condition, and the start of the window */
  window: Pick<HourSums, 'ok' | 'all'> & { from: Instant };
}

/** The start of the window of an uptime condition, rounded down to a full hour; milliseconds since 1970. */
export const windowStart = ({ condition_parameters: { window_seconds = 0 } }: RuleCondition, now: number): number =>
  Math.floor((now - window_seconds * SECOND_MS) / HOUR_MS) * HOUR_MS;
/** When the window of an uptime condition next advances by an hour, milliseconds since 1970. */
export const windowMoves = (rule: RuleCondition, now: number): number =>
  windowStart(rule, now) + HOUR_MS + (rule.condition_parameters.window_seconds ?? 0) * SECOND_MS;
/** Whether a condition that is met in `count` of the regions of a run is met by the run. */
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

/** How many consecutive runs right before the known ones failed, by the rule's multi-region mode. */
const badEarlier = (rule: RuleCondition, earlier: Streaks | null): number => {
  if (!earlier) return 0;
  const { multi_region_mode: mode, multi_region_threshold: threshold } = rule;
  if (mode === 'all_regions') return earlier.all;
  if (mode === 'majority') return earlier.majority;
  return earlier.least[mode === 'any_region' ? 0 : (threshold?.count ?? 1) - 1] ?? 0;
};

const isBad = (rule: RuleCondition, run: PastRun): boolean => isEnough(rule, isBadIn(run), run.answers.length);

/** How many consecutive runs, up to the one at an index, failed. */
const streakAt = (rule: RuleCondition, { runs, earlier }: MonitoredWindow, index: number): number => {
  const good = runs.findIndex((run, i) => i >= index && !isBad(rule, run));
  return good === -1 ? runs.length - index + badEarlier(rule, earlier) : good - index;
};

/** The uptime of the window at the time of the run at an index, percent; null without results. */
export const uptimeAt = ({ runs, window }: MonitoredWindow, index: number): number | null => {
  const later = runs
    .slice(0, index)
    .filter(({ at }) => at >= window.from)
    .flatMap(({ answers }) => answers.filter((answer) => answer !== 'silent'));
  const all = window.all - later.length;
  return all <= 0 ? null : ((window.ok - later.filter(isOk).length) / all) * 100;
};

/** Whether a condition on a single run is met in a region. */
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

/** Whether the condition of a rule was met at the run at an index; 0 is the newest run. */
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

/** Whether there are at least `count` runs, and the condition was met (or not met) at each of the newest `count` runs. */
export const isMetInLast = (rule: RuleCondition, watched: MonitoredWindow, count: number, held: boolean): boolean =>
  watched.runs.length >= count &&
  watched.runs.slice(0, count).every((_, index) => isMetAt(rule, watched, index) === held);

/** Since when the condition has been met, as far as known: the first of the consecutive runs, or of the counted failures. */
export const metSince = (rule: RuleCondition, watched: MonitoredWindow): Instant | null => {
  const { runs } = watched;
  const part = rule.condition === 'consecutive_failures' ? isBad : null;
  const over = runs.findIndex((run, index) => !(part ? part(rule, run) : isMetAt(rule, watched, index)));
  return runs[over === -1 ? runs.length - 1 : over - 1]?.at ?? null;
};

/** Whether the condition is met in a region of the newest run. Conditions on several runs are met where the run failed. */
export const isMetInRegion = (rule: RuleCondition, { status, reason, response_time }: RegionResult): boolean => {
  const answer = status === 'ok' ? response_time : reason === 'timeout' || status === 'timeout' ? 'timeout' : 'bad';
  return holdsIn(rule, answer);
};
