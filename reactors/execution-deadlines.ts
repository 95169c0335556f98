import { streamOf } from '../domain/decider.ts';
import type { NewEvent } from '../domain/event.ts';
import { shardOf, type ExecutionGroupEvent } from '../domain/execution-group/events.ts';
import { derivedUuid } from '../domain/identity.ts';
import { systemEvent } from '../domain/system-event.ts';
import { millisecondsOf, type Instant } from '../domain/time.ts';
import { recordAppended } from '../commands/engine/appended-positions.ts';
import { executionGroups, type OpenGroupDocument } from '../projections/execution-groups/projection.ts';
import { defineReactor } from './engine/define.ts';
import { done } from './engine/item-result.ts';
import { due } from './engine/list-declarations.ts';

const EXECUTION_DEADLINES = 'execution-deadlines';

/** Maximum time from the start of a parallel run to its deadline, with the longest timeout. In milliseconds. */
const LONGEST_MS = 900_000;

/**
 * Time after the deadline of a group, in milliseconds, during which the event that ends the group is appended without a
 * search of the log. Later, the log is first searched for this event, because another process might have ended the
 * group, or an append might have succeeded without a response.
 */
const PROMPT_MS = 1_000;

/**
 * Ends each parallel run for which some regions have not reported a result by its deadline. Runs that started before
 * the reactor was first active are included.
 */
export const executionDeadlines = defineReactor({
  name: EXECUTION_DEADLINES,
  does: 'ends parallel runs whose regions have not all reported by the deadline',
  countsEarlier: true,
  list: due(executionGroups, 'open_groups', { longest: LONGEST_MS }),
  // A region might report a result at the same time. The result counts only if its event precedes the event that ends
  // the group.
  act: async (item, { results, appendResult, now, appended, served }) => {
    const { abilities } = await served();
    const unserved = item.regions.filter((region) => !abilities.has(region));
    const event = timedOut(item, unserved, now);
    const dueAt = millisecondsOf(item.due_at);
    const since = millisecondsOf(now) - dueAt >= PROMPT_MS ? dueAt : null;
    const { position } = await appendResult(streamOf('execution_groups', shardOf(item.id)), event, since);
    recordAppended(appended, results.name, [event], position);
    return done();
  },
});

const timedOut = (
  { id, check_id, organization_id, run_id }: OpenGroupDocument,
  unserved: readonly string[],
  now: Instant,
): NewEvent<ExecutionGroupEvent> =>
  systemEvent(
    {
      type: 'ExecutionGroupTimedOut',
      data: {
        execution_group_id: id,
        ...(check_id !== null && { check_id }),
        organization_id,
        ...(unserved.length > 0 && { unserved: [...unserved] }),
      },
    },
    {
      id: derivedUuid(`${EXECUTION_DEADLINES}/${id}`),
      by: EXECUTION_DEADLINES,
      organizationId: organization_id,
      causeId: run_id,
      now,
    },
  );
