import { fireAlert, endCondition, resolveAlertBecause } from '../../../domain/alert/decide.ts';
import type { Evaluation, EvaluationFacts, NewestAlert } from '../../../domain/alert/evaluation.ts';
import type { AlertEvent } from '../../../domain/alert/events.ts';
import { alertSeries } from '../../../domain/alert/identity.ts';
import { firingOf, type FiringSubject } from '../../../domain/alert/new-alert.ts';
import { alertDecider, type Alert } from '../../../domain/alert/state.ts';
import type { RecordedEventOf } from '../../../domain/event-types.ts';
import type { Instant } from '../../../domain/time.ts';
import { alerts } from '../../../projections/alerts/projection.ts';
import type { AlertDocument } from '../../../projections/alerts/documents.ts';
import { DirectFold } from '../../../projections/engine/direct-fold.ts';

/** The alerts that one rule raises about one check. They exist only in memory. */
export class AlertSeries {
  readonly #fold = new DirectFold(alerts);
  readonly #id: string;
  /** the newest alert */
  #alert: Alert = alertDecider.initialState;
  #events = 0n;

  constructor({ rule, check }: Pick<FiringSubject, 'rule' | 'check'>) {
    const tag = rule.tag === null ? {} : { rule_tag: rule.tag };
    this.#id = alertSeries({ rule_id: rule.id, check_id: check.id, ...tag });
  }

  get newest(): NewestAlert | null {
    return this.#fold.models.alert_standings.get(this.#id) ?? null;
  }

  /** All alerts, oldest first. */
  get all(): readonly AlertDocument[] {
    return [...this.#fold.models.alerts.documents.values()];
  }

  get count(): number {
    return this.#fold.models.alerts.documents.size;
  }

  /** Performs the action of an evaluation, as the commands of alerts do. */
  perform(judgement: Evaluation, facts: EvaluationFacts, subject: FiringSubject, at: Instant): void {
    for (const event of this.#decide(judgement, facts, subject, at)) {
      this.#alert = alertDecider.evolve(event.type === 'AlertFired' ? alertDecider.initialState : this.#alert, event);
      this.#events += 1n;
      const recorded = { ...event, metadata: { recorded_at: at }, position: this.#events };
      this.#fold.apply(recorded as unknown as RecordedEventOf<AlertEvent['type']>);
    }
  }

  #decide(judgement: Evaluation, facts: EvaluationFacts, subject: FiringSubject, at: Instant): AlertEvent[] {
    switch (judgement.act) {
      case 'none':
        return [];
      case 'fire': {
        const { number } = judgement;
        const previous = number === 1 ? null : this.#alert;
        return fireAlert(alertDecider.initialState, previous, firingOf(facts, number, subject), at);
      }
      case 'resolve':
        return resolveAlertBecause(this.#alert, judgement.because, at);
      case 'end':
        return endCondition(this.#alert, at);
    }
  }
}
