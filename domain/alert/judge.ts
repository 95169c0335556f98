import type { AlertRuleFields } from '../alert-rule/fields.ts';
import { instantOf, millisecondsOf, type Instant } from '../time.ts';
import { heldAt, heldInLast, windowMoves, type Watched } from './condition.ts';
import type { Resolution, ResolvedBecause } from './events.ts';
import { streaksSince, type HourSums, type PastRun, type RuleInputs } from './inputs.ts';

/** A rule as it is judged; `check_id` is the check that it is judged on, null if it is about none any more. */
export type JudgedRule = Pick<
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

/** Where a rule stands: its newest alert. */
export interface Standing {
  check_id: string | null;
  number: number;
  status: 'firing' | 'acknowledged' | 'resolved';
  fired_at: Instant;
  resolved_at: Instant | null;
  resolution: Resolution | null;
  /** its condition was seen to end after a person had resolved it */
  condition_ended: boolean;
}

/** Why there is no rule any more. */
export type Gone = Extract<ResolvedBecause, 'rule_deleted' | 'check_deleted'>;

/** All that the judgement of a rule depends on. */
export interface JudgedFacts {
  rule: JudgedRule | Gone;
  /** null: it is not known yet */
  check: {
    active: boolean;
    /** when it last became active */
    active_since: Instant;
    /** what it watches now (definition-key.ts) */
    definition: string;
  } | null;
  /** null: it has no results */
  inputs: Omit<RuleInputs, 'regions'> | null;
  /** results of the hours of an uptime window but for the one in `inputs` */
  otherHours: Pick<HourSums, 'ok' | 'all'>;
  /** the first hour of an uptime window */
  windowStart: Instant;
  /** null: it never fired */
  standing: Standing | null;
  /** a maintenance keeps its check quiet */
  quiet: boolean;
  /** milliseconds since 1970 */
  now: number;
}

/** What is to be done now; `again`: when to look again even if nothing changes, milliseconds since 1970. */
export type Judgement = { again: number | null } & (
  | { act: 'none' }
  /** lets the alert with that number fire */
  | { act: 'fire'; number: number }
  | { act: 'resolve'; because: Exclude<ResolvedBecause, 'person'> }
  /** notes that what a person had resolved is over */
  | { act: 'end' }
);

/** By how much the clocks of servers may differ. A time that is further ahead was set by a clock that was wrong. */
const SKEW_MS = 5_000;

const isAhead = (instant: Instant, now: number): boolean => millisecondsOf(instant) > now + SKEW_MS;

/** The runs after a time, newest first: up to the first that is not, since a clock that was wrong gave older ones any time. */
const runsSince = (runs: readonly PastRun[], instant: Instant): readonly PastRun[] => {
  const first = runs.findIndex(({ at }) => at <= instant);
  return first === -1 ? runs : runs.slice(0, first);
};

/** Of what is known of runs what came after a time. */
const since = (
  { runs, earlier }: Pick<RuleInputs, 'runs' | 'earlier'>,
  instant: Instant,
): Pick<Watched, 'runs' | 'earlier'> => {
  const left = runsSince(runs, instant);
  return { runs: left, earlier: earlier && left.length === runs.length ? streaksSince(earlier, instant) : null };
};

/**
 * The runs that say something about the check as it is now: of its present definition, since it was last activated.
 *
 * @returns null: no rule can be judged
 */
export const watchedOf = ({ check, inputs, otherHours, windowStart, now }: JudgedFacts): Watched | null => {
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

/** Why an alert is over whatever the check does; null: it is not. */
const overBecause = ({
  rule,
  check,
  standing,
}: JudgedFacts): Exclude<ResolvedBecause, 'person' | 'condition'> | null => {
  if (typeof rule === 'string') return rule;
  if (standing && standing.check_id !== rule.check_id) return 'rule_changed';
  if (!rule.enabled) return 'rule_disabled';
  return check?.active === false ? 'check_paused' : null;
};

const judgeActive = (facts: JudgedFacts): Judgement => {
  const because = overBecause(facts);
  if (because !== null) return { act: 'resolve', because, again: null };
  const { rule } = facts;
  const watched = watchedOf(facts);
  if (typeof rule === 'string' || !watched || !rule.auto_resolve) return { act: 'none', again: null };
  return heldInLast(rule, watched, rule.recovery_confirmations, false)
    ? { act: 'resolve', because: 'condition', again: null }
    : { act: 'none', again: againOf(rule, facts.now) };
};

/** An uptime changes with each hour that its window leaves behind. */
const againOf = (rule: JudgedRule, now: number): number | null =>
  rule.condition === 'uptime_below_threshold' ? windowMoves(rule, now) : null;

/** A person has resolved the newest alert, and what it was about was not seen to end since. */
const holdsOn = (rule: JudgedRule, standing: Standing): boolean =>
  standing.resolution === 'manual' && !standing.condition_ended && standing.check_id === rule.check_id;

/**
 * Whether the condition was seen not to hold after a person had resolved its alert: it does not at the newest run, or
 * did not at one since.
 */
const hasEnded = (rule: JudgedRule, watched: Watched, { resolved_at }: Standing, now: number): boolean => {
  // What an uptime was at an earlier run can only be guessed: its window has moved.
  const looksBack = rule.condition !== 'uptime_below_threshold';
  const isKnown = looksBack && resolved_at !== null && resolved_at <= instantOf(now);
  const since = isKnown ? runsSince(watched.runs, resolved_at).length : 0;
  return watched.runs.some((_, index) => (index === 0 || index < since) && !heldAt(rule, watched, index));
};

/** When the next alert may fire, milliseconds since 1970. A start in the future, by a clock that was wrong, is none. */
const cooledAt = ({ cooldown_period }: JudgedRule, standing: Standing | null, now: number): number =>
  standing && !isAhead(standing.fired_at, now) ? millisecondsOf(standing.fired_at) + cooldown_period * 1_000 : now;

/**
 * What is to be done about a rule now (spec.md: States, Alert; decisions.md: Alerts). It depends on nothing but the
 * facts, so it doesn't matter what was seen of them before, nor by whom.
 */
export const judge = (facts: JudgedFacts): Judgement => {
  const { rule, check, standing, quiet, now } = facts;
  if (standing && standing.status !== 'resolved') return judgeActive(facts);
  if (typeof rule === 'string' || !rule.enabled || check?.active !== true) return { act: 'none', again: null };
  const watched = watchedOf(facts);
  if (!watched) return { act: 'none', again: null };
  const again = againOf(rule, now);
  if (standing && holdsOn(rule, standing)) {
    return hasEnded(rule, watched, standing, now) ? { act: 'end', again } : { act: 'none', again };
  }
  if (quiet || !heldInLast(rule, watched, rule.confirmations, true)) return { act: 'none', again };
  const cooled = cooledAt(rule, standing, now);
  if (cooled > now) return { act: 'none', again: again === null ? cooled : Math.min(again, cooled) };
  return { act: 'fire', number: (standing?.number ?? 0) + 1, again };
};
