import type { AlertRuleFields } from '../alert-rule/fields.ts';
import { instantOf, millisecondsOf, type Instant } from '../time.ts';
import { isMetAt, isMetInLast, windowMoves, type MonitoredWindow } from './condition.ts';
import type { Resolution, ResolvedBecause } from './events.ts';
import { streaksSince, type HourSums, type PastRun, type RuleInputs } from './evaluation-inputs.ts';

/**
 * A rule to evaluate. `check_id` is the check that the rule is evaluated for; null if the rule no longer watches any
 * check.
 */
export type EvaluatedRule = Pick<
  AlertRuleFields,
  | 'check_id'
  | 'condition'
  | 'condition_parameters'
  | 'multi_region_mode'
  | 'multi_region_threshold'
  | 'cooldown_period'
  | 'auto_resolve'
  | 'enabled'
  | 'confirmations'
  | 'recovery_confirmations'
>;

/** The newest alert of a rule. */
export interface NewestAlert {
  check_id: string | null;
  number: number;
  status: 'firing' | 'acknowledged' | 'resolved';
  fired_at: Instant;
  resolved_at: Instant | null;
  resolution: Resolution | null;
  /** whether the condition has ended after a person resolved the alert */
  condition_ended: boolean;
}

/** The reasons why a rule no longer exists. */
export type RuleDeletion = Extract<ResolvedBecause, 'rule_deleted' | 'check_deleted'>;

/** The facts that the evaluation of a rule depends on. */
export interface EvaluationFacts {
  rule: EvaluatedRule | RuleDeletion;
  /** null if the check is not known yet */
  check: {
    active: boolean;
    /** when the check most recently became active */
    active_since: Instant;
    /** key of the check's current definition (domain/check/definition-key.ts) */
    definition: string;
  } | null;
  /** null without results */
  inputs: Omit<RuleInputs, 'regions'> | null;
  /** numbers of results in an uptime window, without the hour in `inputs` */
  otherHours: Pick<HourSums, 'ok' | 'all'>;
  /** the first hour of an uptime window */
  windowStart: Instant;
  /** null if the rule has never fired */
  newestAlert: NewestAlert | null;
  /** whether a maintenance suppresses alerts of the check */
  quiet: boolean;
  /** milliseconds since 1970 */
  now: number;
}

/**
 * The action to take now. `again` is when to evaluate the rule again even if nothing changes, in milliseconds since
 * 1970.
 */
export type Evaluation = { again: number | null } & (
  | { act: 'none' }
  /** fire the alert with this number */
  | { act: 'fire'; number: number }
  | { act: 'resolve'; because: Exclude<ResolvedBecause, 'person'> }
  /** record that the condition of a manually resolved alert has ended */
  | { act: 'end' }
);

/**
 * The tolerated clock skew between servers, in milliseconds. A timestamp further in the future comes from a wrong
 * clock.
 */
const SKEW_MS = 5_000;

const isAhead = (instant: Instant, now: number): boolean => millisecondsOf(instant) > now + SKEW_MS;

/**
 * Returns the runs newer than `instant`, newest first. Stops at the first run that is not newer. The runs after it in
 * the list are ignored, even if a skewed clock gave them a newer timestamp.
 */
const runsSince = (runs: readonly PastRun[], instant: Instant): readonly PastRun[] => {
  const first = runs.findIndex(({ at }) => at <= instant);
  return first === -1 ? runs : runs.slice(0, first);
};

/** Returns the runs and streaks after an instant. */
const since = (
  { runs, earlier }: Pick<RuleInputs, 'runs' | 'earlier'>,
  instant: Instant,
): Pick<MonitoredWindow, 'runs' | 'earlier'> => {
  const left = runsSince(runs, instant);
  return { runs: left, earlier: earlier && left.length === runs.length ? streaksSince(earlier, instant) : null };
};

/**
 * Returns the runs that count for the current state of a check: runs with the check's current definition, after the
 * most recent activation of the check.
 *
 * @returns null if nothing is known about the check, so that rules cannot be evaluated
 */
export const monitoredOf = ({
  check,
  inputs,
  otherHours,
  windowStart,
  now,
}: EvaluationFacts): MonitoredWindow | null => {
  if (!check || !inputs) return null;
  if (inputs.definition !== null && inputs.definition !== check.definition) return null;
  const { hour } = inputs;
  const past = isAhead(check.active_since, now) ? inputs : since(inputs, check.active_since);
  const newest = hour && hour.hour >= windowStart ? hour : { ok: 0, all: 0 };
  return {
    runs: past.runs,
    earlier: past.earlier,
    window: { ok: otherHours.ok + newest.ok, all: otherHours.all + newest.all, from: windowStart },
  };
};

/**
 * Returns why an alert ends regardless of check results, such as a deletion of its rule; null if there is no such
 * reason.
 */
const overBecause = ({
  rule,
  check,
  newestAlert,
}: EvaluationFacts): Exclude<ResolvedBecause, 'person' | 'condition'> | null => {
  if (typeof rule === 'string') return rule;
  if (newestAlert && newestAlert.check_id !== rule.check_id) return 'rule_changed';
  if (!rule.enabled) return 'rule_disabled';
  return check?.active === false ? 'check_paused' : null;
};

const judgeActive = (facts: EvaluationFacts): Evaluation => {
  const because = overBecause(facts);
  if (because !== null) return { act: 'resolve', because, again: null };
  const { rule } = facts;
  const watched = monitoredOf(facts);
  if (typeof rule === 'string' || !watched || !rule.auto_resolve) return { act: 'none', again: null };
  return isMetInLast(rule, watched, rule.recovery_confirmations, false)
    ? { act: 'resolve', because: 'condition', again: null }
    : { act: 'none', again: nextEvaluation(rule, facts.now) };
};

/**
 * Returns when an uptime condition must be evaluated again even without a new result: when the window next advances by
 * an hour, because its uptime then changes.
 */
const nextEvaluation = (rule: EvaluatedRule, now: number): number | null =>
  rule.condition === 'uptime_below_threshold' ? windowMoves(rule, now) : null;

/**
 * Whether a person resolved the newest alert, and the condition of this alert has not ended since then. While this is
 * so, the rule does not fire.
 */
const holdsOn = (rule: EvaluatedRule, standing: NewestAlert): boolean =>
  standing.resolution === 'manual' && !standing.condition_ended && standing.check_id === rule.check_id;

/**
 * Whether the condition has ended after a person resolved its alert: the condition is not met at the newest run, or was
 * not met at an earlier run after the resolution.
 */
const hasEnded = (
  rule: EvaluatedRule,
  watched: MonitoredWindow,
  { resolved_at }: NewestAlert,
  now: number,
): boolean => {
  // For an uptime condition, only the newest run counts: the uptime at an earlier run is unknown, because the window
  // has advanced.
  const looksBack = rule.condition !== 'uptime_below_threshold';
  const isKnown = looksBack && resolved_at !== null && resolved_at <= instantOf(now);
  const since = isKnown ? runsSince(watched.runs, resolved_at).length : 0;
  return watched.runs.some((_, index) => (index === 0 || index < since) && !isMetAt(rule, watched, index));
};

/**
 * Returns when the cooldown ends, in milliseconds since 1970. An alert whose firing time is in the future was recorded
 * with a wrong clock, and causes no cooldown.
 */
const cooldownEnd = ({ cooldown_period }: EvaluatedRule, standing: NewestAlert | null, now: number): number =>
  standing && !isAhead(standing.fired_at, now) ? millisecondsOf(standing.fired_at) + cooldown_period * 1_000 : now;

/**
 * Evaluates a rule (docs/reference/alert-rules.md#judged-runs). The result depends only on the current facts, so any
 * process can evaluate a rule at any time.
 */
export const evaluateRule = (facts: EvaluationFacts): Evaluation => {
  const { rule, check, newestAlert, quiet, now } = facts;
  if (newestAlert && newestAlert.status !== 'resolved') return judgeActive(facts);
  if (typeof rule === 'string' || !rule.enabled || check?.active !== true) return { act: 'none', again: null };
  const watched = monitoredOf(facts);
  if (!watched) return { act: 'none', again: null };
  const again = nextEvaluation(rule, now);
  if (newestAlert && holdsOn(rule, newestAlert)) {
    return hasEnded(rule, watched, newestAlert, now) ? { act: 'end', again } : { act: 'none', again };
  }
  if (quiet || !isMetInLast(rule, watched, rule.confirmations, true)) return { act: 'none', again };
  const end = cooldownEnd(rule, newestAlert, now);
  if (end > now) return { act: 'none', again: again === null ? end : Math.min(again, end) };
  return { act: 'fire', number: (newestAlert?.number ?? 0) + 1, again };
};
