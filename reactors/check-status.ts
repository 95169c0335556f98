import type { EventOf } from '../domain/event-types.ts';
import { checkDecider, isLive } from '../domain/check/state.ts';
import { changeStatus, type CheckResultVerdict } from '../domain/check/status-change.ts';
import { NotFound } from '../domain/errors.ts';
import { instantOf } from '../domain/time.ts';
import { reactorContext } from '../commands/engine/context.ts';
import type { CommandDependencies } from '../commands/dependencies.ts';
import { checkVerdicts } from '../projections/check-verdicts/projection.ts';
import type { WriteLine } from './context.ts';
import { defineReactor } from './engine/define.ts';
import { done, type ItemResult } from './engine/item-result.ts';
import type { ListItem } from './engine/lists.ts';
import { changed } from './engine/list-declarations.ts';

export const CHECK_STATUS = 'check-status';

/** An item of the list `check_verdicts`: the verdict of a check's newest run. */
export interface VerdictItem extends CheckResultVerdict, ListItem {
  organization_id: string;
}

/** A stored event by which a check came up, went down or recovered, and the name of the check. */
export interface StatusChange {
  event: EventOf<'CheckCameUp' | 'CheckWentDown' | 'CheckRecovered'>;
  name: string;
}

export interface CheckStatusDependencies extends Pick<CommandDependencies, 'handle'> {
  /** Returns milliseconds since 1970. */
  clock: () => number;
  /** Called for each change of status after its event is stored. */
  changed?: (change: StatusChange) => void;
}

/**
 * Sets the status of each check from the verdict of its newest run. Results from before the reactor was first active
 * count too, because nothing else sets the status of a check.
 */
export const checkStatus = defineReactor({
  name: CHECK_STATUS,
  does: 'marks checks as up, down or recovered by the verdicts of their newest runs',
  countsEarlier: true,
  list: changed(checkVerdicts, 'check_verdicts', { changedAt: ({ at }) => at }),
  act: (item, { handle, clock, line }) =>
    decideCheckStatus({
      handle,
      clock,
      changed: (change) => {
        line(...statusLogLine(change));
      },
    })(item),
});

/** Returns the log line about a check that came up, went down or recovered. */
export const statusLogLine = ({ event, name }: StatusChange): Parameters<WriteLine> => {
  const { check_id: checkId, region, result_id: resultId } = event.data;
  const fields = { checkId, region, resultId };
  switch (event.type) {
    case 'CheckWentDown':
      return ['warn', fields, `Check "${name}" went down: ${event.data.error_message ?? 'no reason was given'}`];
    case 'CheckRecovered':
      return ['info', fields, `Check "${name}" recovered.`];
    case 'CheckCameUp':
      return ['info', fields, `Check "${name}" came up.`];
  }
};

/** Sets the status of one check. The command id is the id of the run, so a repetition changes nothing. */
export const decideCheckStatus =
  ({ handle, clock, changed }: CheckStatusDependencies) =>
  async (item: VerdictItem): Promise<ItemResult> => {
    const { good, check_id, result_id, run_id, slot, region, at, error_message } = item;
    const verdict: CheckResultVerdict = { good, check_id, result_id, run_id, slot, region, at, error_message };
    const now = instantOf(clock());
    const context = reactorContext(CHECK_STATUS, {
      organizationId: item.organization_id,
      correlationId: run_id,
      commandId: run_id,
      now,
    });
    try {
      const { state, events, repeated } = await handle(
        check_id,
        checkDecider,
        (check) => changeStatus(check, verdict, now),
        context,
      );
      if (repeated || !isLive(state)) return done();
      for (const event of events)
        changed?.({ event: event as unknown as StatusChange['event'], name: state.settings.name });
    } catch (error) {
      // Ignore a result that names a check of another organization.
      if (!(error instanceof NotFound)) throw error;
    }
    return done();
  };
