import { STORED_RUNS } from '../../../domain/alert/evaluation-inputs.ts';
import type { AlertRuleFields } from '../../../domain/alert-rule/fields.ts';
import { HOUR_MS } from '../../../domain/time.ts';

/** A counted run in one region. */
export interface PlainRun {
  /** milliseconds since 1970 */
  at: number;
  definition: string;
  ok: boolean;
  timedOut: boolean;
  /** response time in milliseconds; null if the run was not ok */
  took: number | null;
}

interface PlainAlert {
  number: number;
  active: boolean;
  firedAt: number;
  resolvedAt: number;
  byPerson: boolean;
  seenToEnd: boolean;
}

const SKEW = 5_000;

/** Returns the runs newer than `time`. Stops at the first older run. The runs must be sorted newest first. */
const after = (runs: readonly PlainRun[], time: number): PlainRun[] => {
  const older = runs.findIndex(({ at }) => at <= time);
  return older === -1 ? [...runs] : runs.slice(0, older);
};

/**
 * A reference model of an alert rule (docs/reference/alert-rules.md#judged-runs). Each time, it computes everything
 * from the whole history of runs, so it is slow but simple.
 */
export const plainRule = (begun: AlertRuleFields, definition: string, activeSince: number) => {
  const runs: PlainRun[] = [];
  /** `about`: whether the rule targets the check, by its id or its tag */
  const now = { rule: begun, definition, active: true, activeSince, quiet: false, about: true };
  let alert: PlainAlert | null = null;

  /**
   * Returns the runs with the present definition since the check was last activated, newest first. Returns null if the
   * newest run has another definition.
   */
  const counting = (time: number): PlainRun[] | null => {
    const newest = runs.at(-1);
    if (newest?.definition !== now.definition) return null;
    const others = runs.findLastIndex((run) => run.definition !== now.definition);
    const since = now.activeSince > time + SKEW ? -Infinity : now.activeSince;
    return after(runs.slice(others + 1).reverse(), since);
  };

  /**
   * Returns whether the condition was met in the newest run of `some`.
   *
   * @param without runs that are newer than `some` and do not count
   */
  const holds = (some: readonly PlainRun[], without: readonly PlainRun[], time: number): boolean => {
    const [newest] = some;
    if (!newest) return false;
    const { condition, condition_parameters: parameters } = now.rule;
    switch (condition) {
      case 'check_failed':
        return !newest.ok;
      case 'check_timeout':
        return newest.timedOut;
      case 'check_degraded':
        return newest.took !== null && newest.took > (parameters.response_time ?? 0);
      case 'consecutive_failures': {
        const last = some.slice(0, parameters.count);
        return last.length === parameters.count && last.every(({ ok }) => !ok);
      }
      default: {
        const from = Math.floor((time - (parameters.window_seconds ?? 0) * 1_000) / HOUR_MS) * HOUR_MS;
        const counted = runs.filter((run) => run.at >= from && !without.includes(run));
        const good = counted.filter(({ ok }) => ok).length;
        return counted.length > 0 && (good / counted.length) * 100 < (parameters.threshold ?? 0);
      }
    }
  };

  const heldAt = (some: readonly PlainRun[], index: number, time: number): boolean =>
    holds(some.slice(index), some.slice(0, index), time);

  const lastAll = (some: readonly PlainRun[], count: number, isMet: boolean, time: number): boolean =>
    some.length >= count && some.slice(0, count).every((_, index) => heldAt(some, index, time) === isMet);

  const next = (time: number): string | null => {
    const { rule, active } = now;
    const seen = now.about ? counting(time) : null;
    if (alert?.active) {
      if (!now.about) return 'rule_changed';
      if (!rule.enabled) return 'rule_disabled';
      if (!active) return 'check_paused';
      return rule.auto_resolve && seen && lastAll(seen, rule.recovery_confirmations, false, time) ? 'condition' : null;
    }
    if (!rule.enabled || !active || !seen) return null;
    if (alert?.byPerson && !alert.seenToEnd) {
      const looksBack = rule.condition !== 'uptime_below_threshold' && alert.resolvedAt <= time;
      const since = looksBack ? after(seen, alert.resolvedAt).length : 0;
      const ended = seen
        .slice(0, STORED_RUNS)
        .some((_, index) => (index === 0 || index < since) && !heldAt(seen, index, time));
      return ended ? 'end' : null;
    }
    if (now.quiet || !lastAll(seen, rule.confirmations, true, time)) return null;
    const cools = alert && alert.firedAt <= time + SKEW && alert.firedAt + rule.cooldown_period * 1_000 > time;
    return cools ? null : 'fire';
  };

  /** Applies an action to the model. @returns the action, in the notation of the stage */
  const done = (act: string, time: number): string => {
    if (act === 'fire') {
      const number = (alert?.number ?? 0) + 1;
      alert = { number, active: true, firedAt: time, resolvedAt: 0, byPerson: false, seenToEnd: false };
      return `fired ${number}`;
    }
    if (!alert) throw new Error('There is no alert.');
    if (act === 'end') {
      alert = { ...alert, seenToEnd: true };
      return `AlertConditionEnded ${alert.number}`;
    }
    alert = { ...alert, active: false, resolvedAt: time, byPerson: act === 'person' };
    return `resolved ${alert.number}: ${act}`;
  };

  return {
    runs,
    now,
    active: (): number | null => (alert?.active ? alert.number : null),
    person: (time: number): string => done('person', time),
    /** Applies and returns all actions that are due at a time. */
    doneAt: (time: number): string[] => {
      const all: string[] = [];
      for (let act = next(time); act !== null; act = next(time)) all.push(done(act, time));
      return all;
    },
  };
};
