import type { CheckEvent } from '../../domain/check/events.ts';
import { isCheckGroupEvent, type CheckGroupEvent } from '../../domain/check-group/events.ts';
import type { EventStore } from '../../stores/event-store/port.ts';

/** Events after which a runner must no longer use the definition of a check that was handed to it. */
const REDEFINING: ReadonlySet<string> = new Set<CheckEvent['type']>([
  'CheckUpdated',
  'CheckGrouped',
  'CheckSecretsChanged',
  'CheckParked',
  'CheckDeleted',
]);

export interface ChangedChecksOptions {
  main: Pick<EventStore, 'subscribe'>;
  /** log position after which to start */
  after: bigint;
  /** returns the ids of the checks of a group */
  checksOf: (groupId: string) => Promise<readonly string[]>;
  /** Called with the id of each check whose definition no longer applies, or whose runs no longer start. */
  changed: (checkId: string) => void;
  trouble: (error: unknown) => void;
  signal: AbortSignal;
}

/**
 * Follows the log until the signal aborts, and reports which checks were changed, paused or deleted. A check that is
 * still active gets its new definition with the next run that is handed over.
 */
export const followChangedChecks = async (options: ChangedChecksOptions): Promise<void> => {
  const { main, after, checksOf, changed, trouble, signal } = options;

  const applyToGroup = async (event: CheckGroupEvent): Promise<void> => {
    if (event.type !== 'CheckGroupUpdated' || event.data.changes.active !== false) return;
    for (const id of await checksOf(event.data.check_group_id)) changed(id);
  };

  for await (const events of main.subscribe({ after, categories: ['check', 'check_group'], signal }))
    for (const event of events as unknown as (CheckEvent | CheckGroupEvent)[])
      if (isCheckGroupEvent(event)) await applyToGroup(event).catch(trouble);
      else if (REDEFINING.has(event.type)) changed(event.data.check_id);
};
