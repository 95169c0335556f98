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

/** The reactor's name, which is also the actor of its commands. */
export const ALERT_RULES = 'alert-rules';

/** An evaluation's result and its inputs. */
export interface RuleJudgement {
  known: CachedRule;
  check: CachedCheck | null;
  facts: EvaluationFacts;
  /** regions of the newest run */
  regions: readonly RegionResult[];
  judgement: Evaluation;
}

/**
 * Performs the action of an evaluation. The command id is derived from the rule (and the check, for a rule by tag) and
 * the number of its alert, so a repetition changes nothing.
 *
 * @returns position of the appended events, of this or an earlier call; 0: nothing was left to do
 */
export const applyJudgement = async (
  dependencies: Pick<CommandDependencies, 'handle'>,
  { known, check, facts, regions, judgement }: RuleJudgement,
  now: Instant,
): Promise<number> => {
  const { id, organization_id: organizationId, rule, check_id, standing } = known;
  const appended: Appended = new Map();
  const contextOf = (what: string) => {
    const commandId = derivedUuid(`${ALERT_RULES}/${id}/${what}`);
    return reactorContext(ALERT_RULES, { organizationId, correlationId: ruleIdOf(id), commandId, now, appended });
  };
  const number = (standing?.number ?? 0).toString();
  const alertId = standing?.alert_id ?? '';
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
