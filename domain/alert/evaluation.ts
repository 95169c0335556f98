import type { AlertRuleFields } from '../alert-rule/fields.ts';
import { instantOf, millisecondsOf, type Instant } from '../time.ts';
import { isMetAt, isMetInLast, windowMoves, type MonitoredWindow } from './condition.ts';
import type { Resolution, ResolvedBecause } from './events.ts';
import { streaksSince, type HourSums, type PastRun, type RuleInputs } from './evaluation-inputs.ts';

/** A rule to evaluate. `check_id`: the check that it is evaluated on; null if it no longer watches any. */
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
  /** its condition has ended since a person resolved it */
  condition_ended: boolean;
}

/** Why a rule no longer exists. */
export type RuleDeletion = Extract<ResolvedBecause, 'rule_deleted' | 'check_deleted'>;

/** The facts that the evaluation of a rule depends on. */
export interface EvaluationFacts {
  rule: EvaluatedRule | RuleDeletion;
  /** null: not known yet */
  check: {
    active: boolean;
    /** when it last became active */
    active_since: Instant;
    /** key of its current definition (domain/check/definition-key.ts) */
    definition: string;
  } | null;
  /** null without results */
  inputs: Omit<RuleInputs, 'regions'> | null;
  /** results in an uptime window, without the hour in `inputs` */
  otherHours: Pick<HourSums, 'ok' | 'all'>;
  /** the first hour of an uptime window */
  windowStart: Instant;
  /** null if it never fired */
  newestAlert: NewestAlert | null;
  /** a maintenance suppresses alerts of its check */
  quiet: boolean;
  /** milliseconds since 1970 */
  now: number;
}

/** The action to take now. `again`: when to evaluate again even if nothing changes, milliseconds since 1970. */
export type Evaluation = { again: number | null } & (
  | { act: 'none' }
  /** fire the alert with this number */
  | { act: 'fire'; number: number }
  | { act: 'resolve'; because: Exclude<ResolvedBecause, 'person'> }
  /** record that the condition of a manually resolved alert has ended */
  | { act: 'end' }
);

/** The tolerated clock skew between servers. A time further ahead comes from a wrong clock. */
const SKEW_MS = 5_000;

const isAhead = (instant: Instant, now: number): boolean => millisecondsOf(instant) > now + SKEW_MS;

/** Runs newer than `instant`, newest first. Stops at the first older one: earlier timestamps may come from a skewed clock. */
const runsSince = (runs: readonly PastRun[], instant: Instant): readonly PastRun[] => {
  const first = runs.findIndex(({ at }) => at <= instant);
  return first === -1 ? runs : runs.slice(0, first);
};

/** The runs and streaks after an instant. */
const since = (
  { runs, earlier }: Pick<RuleInputs, 'runs' | 'earlier'>,
  instant: Instant,
): Pick<MonitoredWindow, 'runs' | 'earlier'> => {
  const left = runsSince(runs, instant);
  return { runs: left, earlier: earlier && left.length === runs.length ? streaksSince(earlier, instant) : null };
};

/**
 * The runs that count for the current state of the check: those of its current definition, since it was last activated.
 *
 * @returns null if no rule can be evaluated
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

/** Why an alert is over, whatever the results of the check; null if it is not. */
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

/** When an uptime condition must be evaluated again: its value changes with each hour that leaves the window. */
const nextEvaluation = (rule: EvaluatedRule, now: number): number | null =>
  rule.condition === 'uptime_below_threshold' ? windowMoves(rule, now) : null;

/** Whether a person has resolved the newest alert, and its condition has not ended since. */
const holdsOn = (rule: EvaluatedRule, standing: NewestAlert): boolean =>
  standing.resolution === 'manual' && !standing.condition_ended && standing.check_id === rule.check_id;

/**
 * Whether the condition has ended since a person resolved its alert: it is not met at the newest run, or was not met at
 * a run since then.
 */
const hasEnded = (
  rule: EvaluatedRule,
  watched: MonitoredWindow,
  { resolved_at }: NewestAlert,
  now: number,
): boolean => {
  // The uptime at an earlier run is unknown, since its window has moved.
  const looksBack = rule.condition !== 'uptime_below_threshold';
  const isKnown = looksBack && resolved_at !== null && resolved_at <= instantOf(now);
  const since = isKnown ? runsSince(watched.runs, resolved_at).length : 0;
  return watched.runs.some((_, index) => (index === 0 || index < since) && !isMetAt(rule, watched, index));
};

/** When the cooldown ends, milliseconds since 1970. A start in the future comes from a wrong clock and is ignored. */
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
