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

/** A parallel run with the longest timeout has ended by then. */
const LONGEST_MS = 900_000;

/**
 * Later than this after the deadline, the group may already be ended, by another process or an append without a response.
 */
const PROMPT_MS = 1_000;

/**
 * Ends parallel runs whose regions have not all reported by the deadline. Runs that started before the reactor was
 * first active count too.
 */
export const executionDeadlines = defineReactor({
  name: EXECUTION_DEADLINES,
  does: 'ends parallel runs whose regions have not all reported by the deadline',
  countsEarlier: true,
  list: due(executionGroups, 'open_groups', { longest: LONGEST_MS }),
  // Results that regions report meanwhile are before or after this event in the log, and the order decides.
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
