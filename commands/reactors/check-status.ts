import { checkDecider } from '../../domain/check/state.ts';
import { judgeCheck, type Verdict } from '../../domain/check/verdict.ts';
import { NotFound } from '../../domain/errors.ts';
import type { Instant } from '../../domain/time.ts';
import { commandContext } from '../context.ts';
import type { CommandDependencies } from '../dependencies.ts';

/** An item of the to-do list `check_verdicts`: what the newest run says of a check. */
export interface VerdictItem extends Verdict {
  organization_id: string;
}

/**
 * Lets a check come up, go down or recover by what its newest run says. The command id is the run's,
 * so that an item done twice changes nothing twice; one that changes nothing is no event.
 */
export const decideCheckStatus =
  ({ handle }: Pick<CommandDependencies, 'handle'>) =>
  async (item: VerdictItem, now: Instant): Promise<void> => {
    const { good, check_id, result_id, run_id, slot, region, at, error_message } = item;
    const verdict: Verdict = { good, check_id, result_id, run_id, slot, region, at, error_message };
    const context = commandContext({
      actor: { kind: 'system', id: 'check-status', role: null },
      organizationId: item.organization_id,
      correlationId: run_id,
      commandId: run_id,
      repeatable: true,
      now,
    });
    try {
      await handle(check_id, checkDecider, (check) => judgeCheck(check, verdict), context);
    } catch (error) {
      // A result that names a check of another organization is nobody's status.
      if (!(error instanceof NotFound)) throw error;
    }
  };
