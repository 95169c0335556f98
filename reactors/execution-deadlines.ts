import { streamOf } from '../domain/decider.ts';
import type { NewEvent } from '../domain/event.ts';
import { shardOf, type ExecutionGroupEvent } from '../domain/execution-group/events.ts';
import { derivedUuid } from '../domain/identity.ts';
import { systemEvent } from '../domain/system-event.ts';
import { millisecondsOf, type Instant } from '../domain/time.ts';
import { noteAppended } from '../commands/engine/appended.ts';
import { executionGroups, type OpenGroupDocument } from '../projections/execution-groups/projection.ts';
import { defineReactor } from './engine/define.ts';
import { done } from './engine/ending.ts';
import { due } from './engine/on-lists.ts';

const EXECUTION_DEADLINES = 'execution-deadlines';
/** A parallel run of the longest timeout has ended by then. */
const LONGEST_MS = 900_000;
/** This long after the deadline, a group may have been ended already: by another process, or without an answer. */
const PROMPT_MS = 1_000;

/** Ends parallel runs whose regions have not all answered by the deadline; those begun before count too. */
export const executionDeadlines = defineReactor({
  name: EXECUTION_DEADLINES,
  does: 'ends parallel runs whose regions have not all answered by the deadline',
  countsEarlier: true,
  list: due(executionGroups, 'open_groups', { longest: LONGEST_MS }),
  // What the regions answer meanwhile is before or after this event in the log, and the order decides.
  act: async (item, { results, appendResult, now, appended, served }) => {
    const { abilities } = await served();
    const unserved = item.regions.filter((region) => !abilities.has(region));
    const event = timedOut(item, unserved, now);
    const dueAt = millisecondsOf(item.due_at);
    const since = millisecondsOf(now) - dueAt >= PROMPT_MS ? dueAt : null;
    const { position } = await appendResult(streamOf('execution_groups', shardOf(item.id)), event, since);
    noteAppended(appended, results.name, [event], position);
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
