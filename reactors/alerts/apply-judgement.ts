import { highestPosition, type Appended } from '../../commands/engine/appended-positions.ts';
import { endAlertCondition, fireAlert, resolveAlertBecause } from '../../commands/alerts/alerts.ts';
import { derivedUuid, reactorContext } from '../../commands/engine/context.ts';
import type { CommandDependencies } from '../../commands/dependencies.ts';
import { firingOf } from '../../domain/alert/new-alert.ts';
import type { RegionResult } from '../../domain/alert/evaluation-inputs.ts';
import type { EvaluationFacts, Evaluation } from '../../domain/alert/evaluation.ts';
import type { Instant } from '../../domain/time.ts';
import type { CachedCheck } from './check-cache.ts';
import { ruleIdOf, type CachedRule } from './tag-rules.ts';

/** Name of the reactor. It is the actor of the reactor's commands, too. */
export const ALERT_RULES = 'alert-rules';

/** The result of the evaluation of a rule, with the inputs of the evaluation. */
export interface RuleJudgement {
  known: CachedRule;
  check: CachedCheck | null;
  facts: EvaluationFacts;
  /** Results of the check's newest run, by region. */
  regions: readonly RegionResult[];
  judgement: Evaluation;
}

/**
 * Fires, resolves or ends an alert, as the evaluation of its rule requires. The command id is derived from the rule
 * (for a rule by tag, also from the check) and the number of the alert, so a repetition changes nothing.
 *
 * @returns the position of the appended events; for a repetition, the position of the events that the first call
 * appended; 0 if there was nothing to do
 */
export const applyJudgement = async (
  dependencies: Pick<CommandDependencies, 'handle'>,
  { known, check, facts, regions, judgement }: RuleJudgement,
  now: Instant,
): Promise<number> => {
  const { id, organization_id: organizationId, rule, check_id, current } = known;
  const appended: Appended = new Map();
  const contextOf = (what: string) => {
    const commandId = derivedUuid(`${ALERT_RULES}/${id}/${what}`);
    return reactorContext(ALERT_RULES, { organizationId, correlationId: ruleIdOf(id), commandId, now, appended });
  };
  const number = (current?.number ?? 0).toString();
  const alertId = current?.alert_id ?? '';
  if (judgement.act === 'fire' && rule && typeof rule !== 'string' && check && check_id !== null) {
    const subject = { rule, check: { ...check, id: check_id }, regions };
    const firing = firingOf(facts, judgement.number, subject);
    await fireAlert(dependencies)(firing, contextOf(`fire/${firing.number}`));
  }
  if (judgement.act === 'resolve') {
    await resolveAlertBecause(dependencies)(alertId, judgement.because, contextOf(`resolve/${number}`));
  }
  if (judgement.act === 'end') await endAlertCondition(dependencies)(alertId, contextOf(`end/${number}`));
  return Number(highestPosition(appended, 'main'));
};
