import type { AlertRuleFields } from '../../../domain/alert-rule/fields.ts';
import { evaluateRule, type EvaluationFacts } from '../../../domain/alert/evaluation.ts';
import type { RuleInputs } from '../../../domain/alert/evaluation-inputs.ts';
import { factsOf, firstHourOf, sumOtherHours, type RuleState } from '../../../domain/alert/rule-state.ts';
import type { Pause } from '../../../domain/concurrency/time-slices.ts';
import { instantOf, millisecondsOf, type Instant } from '../../../domain/time.ts';
import type { AlertDocument } from '../../../projections/alerts/documents.ts';
import { DirectFold } from '../../../projections/engine/direct-fold.ts';
import { ruleInputs, type RuleInputsDocument } from '../../../projections/rule-inputs/projection.ts';
import { AlertSeries } from './alert-series.ts';
import type { CheckTimeline } from './check-timeline.ts';
import type { TimedEvent } from './stored-results.ts';

/**
 * A rule that is simulated on a check. `check_id` is the id of this check, even for a rule by tag. A rule by tag applies
 * only while the check has the tag.
 */
export type SimulatedRule = AlertRuleFields & { id: string; organization_id: string };

/** Number of events that are folded without a pause. */
const EVENTS_PER_STEP = 64;

/**
 * Evaluates a rule on the past results of one check. Uses the same folds and deciders as the live evaluation
 * (reactors/alerts/judge.ts). Evaluates the rule after each change that would cause a live evaluation. The times of the
 * results replace the clock.
 */
export class CheckSimulation {
  readonly #rule: SimulatedRule;
  readonly #check: { id: string; name: string; type: string };
  readonly #timeline: CheckTimeline;
  readonly #inputs = new DirectFold(ruleInputs);
  readonly #alerts: AlertSeries;
  /** the definition that runs get: the newest one that the check has had up to the simulated time */
  #definition = '';
  #isJudging = false;
  /** when the rule must be evaluated again even if nothing changes; null if this is not necessary */
  #again: { milliseconds: number; at: Instant } | null = null;
  /**
   * the sums of an uptime window without its newest hour; valid while `key` (the window and the hour) stays the same
   */
  #window: { key: string; sums: EvaluationFacts['otherHours'] } | null = null;
  /** number of runs that the rule was evaluated on */
  runs = 0;

  constructor(rule: SimulatedRule, check: { id: string; name: string; type: string }, timeline: CheckTimeline) {
    this.#rule = rule;
    this.#check = check;
    this.#timeline = timeline;
    this.#alerts = new AlertSeries({ rule, check });
  }

  /** The alerts that the rule has raised, oldest first. */
  get alerts(): readonly AlertDocument[] {
    return this.#alerts.all;
  }

  get alertCount(): number {
    return this.#alerts.count;
  }

  /** Starts to evaluate the rule, as if it had been created at this time. */
  begin(at: Instant): void {
    this.#pass(at);
    this.#isJudging = true;
    this.#evaluate(at);
  }

  /** Advances the time to an instant, without further results. */
  end(at: Instant): void {
    this.#pass(at);
  }

  /**
   * Plays events of the log `results`, in order. Before `begin` is called, events are folded, but the rule is not
   * evaluated.
   */
  async play(events: Iterable<TimedEvent>, pause: Pause): Promise<void> {
    let step = 0;
    for (const { at, event } of events) {
      this.#pass(at);
      this.#fold(at, event);
      if (++step % EVENTS_PER_STEP === 0) await pause();
    }
  }

  get #document(): RuleInputsDocument | undefined {
    return this.#inputs.models.rule_inputs.get(this.#check.id);
  }

  /** Whether the rule watches the check at the simulated time. */
  get #applies(): boolean {
    const { tag } = this.#rule;
    return tag === null || this.#timeline.state.tags.includes(tag);
  }

  #fold(at: Instant, event: TimedEvent['event']): void {
    if (event.type === 'CheckRunCompleted') event.data.definition = this.#definition;
    const before = this.#document;
    this.#inputs.apply(event);
    const after = this.#document;
    if (!after || after === before) return;
    if (!this.#isJudging) return;
    if (after.runs[0]?.id !== before?.runs[0]?.id && this.#applies) this.runs += 1;
    this.#evaluate(at);
  }

  /**
   * Evaluates the rule at each time, up to and including `at`, at which its outcome may change without a new result.
   */
  #pass(at: Instant): void {
    for (;;) {
      const changes = this.#timeline.next;
      const again = this.#again?.at ?? null;
      const next = changes !== null && (again === null || changes < again) ? changes : again;
      if (next === null || next > at) return;
      this.#timeline.advance(next);
      this.#definition = this.#timeline.state.check?.definition ?? this.#definition;
      if (this.#isJudging) this.#evaluate(next);
    }
  }

  /** Evaluates the rule and performs the actions, until there is nothing left to do. */
  #evaluate(at: Instant): void {
    for (;;) {
      const { isDeleted, ...present } = this.#timeline.state;
      const isWatched = this.#applies;
      // Like the live evaluation, a rule by tag sees nothing of a check that does not have its tag.
      const inputs = isWatched ? (this.#document ?? null) : null;
      const check = isWatched ? present.check : null;
      const quiet = isWatched && present.quiet;
      const rule = isDeleted ? 'check_deleted' : isWatched ? this.#rule : { ...this.#rule, check_id: null };
      const now = millisecondsOf(at);
      const state: RuleState = { rule, check, inputs, newestAlert: this.#alerts.newest, quiet, now };
      const from = firstHourOf(state);
      const facts = factsOf(state, from, from !== null && inputs?.hour ? this.#otherHours(from, inputs.hour) : null);
      const judgement = evaluateRule(facts);
      this.#evaluateAgain(judgement.again);
      if (judgement.act === 'none') return;
      const subject = { rule: this.#rule, check: { ...this.#check, ...check }, regions: inputs?.regions ?? [] };
      this.#alerts.perform(judgement, facts, subject, at);
    }
  }

  #evaluateAgain(milliseconds: number | null): void {
    if (milliseconds === null) this.#again = null;
    else if (this.#again?.milliseconds !== milliseconds) {
      this.#again = { milliseconds, at: instantOf(milliseconds) };
    }
  }

  /** Sums the hours of an uptime window once an hour. Drops earlier hours, because windows only advance. */
  #otherHours(from: Instant, newest: NonNullable<RuleInputs['hour']>): EvaluationFacts['otherHours'] {
    const key = `${from} ${newest.entered}`;
    if (this.#window?.key !== key) {
      const hours = this.#inputs.models.rule_hours;
      for (const { id, hour } of hours.documents.values()) if (hour < from) hours.delete(id);
      this.#window = { key, sums: sumOtherHours(hours.documents.values(), newest) };
    }
    return this.#window.sums;
  }
}
