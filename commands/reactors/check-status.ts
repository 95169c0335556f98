import { checkDecider } from '../../domain/check/state.ts';
import { judgeCheck, type Verdict } from '../../domain/check/verdict.ts';
import { NotFound } from '../../domain/errors.ts';
import { instantOf } from '../../domain/time.ts';
import { commandContext } from '../context.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { changeWork, type ChangeItem, type ChangeList } from './changes.ts';
import type { Reactor, TodoProjection } from './loop.ts';

const NAME = 'check-status';

/** An item of the to-do list `check_verdicts`: what the newest run says of a check. */
export interface VerdictItem extends Verdict, ChangeItem {
  organization_id: string;
}

export interface CheckStatusDependencies extends Pick<CommandDependencies, 'handle'> {
  /** milliseconds since 1970 */
  clock: () => number;
  list: ChangeList<VerdictItem>;
  todo: TodoProjection;
}

/**
 * Lets checks come up, go down and recover by what their newest runs say. Results from before the
 * reactor was first active count, since the status of a check is not told by anything else.
 */
export const checkStatusReactor = ({ handle, clock, list, todo }: CheckStatusDependencies): Reactor => ({
  name: NAME,
  countsEarlier: true,
  todo,
  work: changeWork(NAME, list, decideCheckStatus({ handle, clock })),
});

/** The command id is the run's, so that an item done twice changes nothing twice. */
export const decideCheckStatus =
  ({ handle, clock }: Pick<CheckStatusDependencies, 'handle' | 'clock'>) =>
  async (item: VerdictItem): Promise<void> => {
    const { good, check_id, result_id, run_id, slot, region, at, error_message } = item;
    const verdict: Verdict = { good, check_id, result_id, run_id, slot, region, at, error_message };
    const context = commandContext({
      actor: { kind: 'system', id: NAME, role: null },
      organizationId: item.organization_id,
      correlationId: run_id,
      commandId: run_id,
      repeatable: true,
      now: instantOf(clock()),
    });
    try {
      await handle(check_id, checkDecider, (check) => judgeCheck(check, verdict), context);
    } catch (error) {
      // A result that names a check of another organization is nobody's status.
      if (!(error instanceof NotFound)) throw error;
    }
  };
