import { streamOf } from '../domain/decider.ts';
import type { NewEvent } from '../domain/event.ts';
import { shardOf, type ExecutionGroupEvent } from '../domain/execution-group/events.ts';
import { derivedUuid } from '../domain/identity.ts';
import { systemEvent } from '../domain/system-event.ts';
import { millisecondsOf, type Instant } from '../domain/time.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import { noteAppended, type Noted } from '../commands/engine/appended.ts';
import { dueWork, type DueContext } from './engine/due.ts';
import { done, type Ending } from './engine/ending.ts';
import type { DueItem, DueList, TodoProjection } from './engine/lists.ts';
import type { Reactor } from './engine/loop.ts';

export const EXECUTION_DEADLINES = 'execution-deadlines';
/** A parallel run of the longest timeout has ended by then. */
const LONGEST_MS = 900_000;
/** This long after the deadline, a group may have been ended already: by another process, or without an answer. */
const PROMPT_MS = 1_000;

/** An item of the to-do list `open_groups`: a parallel run that has not ended. */
export interface OpenGroupItem extends DueItem {
  check_id: string | null;
  organization_id: string;
  run_id: string;
}

export interface ExecutionDeadlinesDependencies {
  /** the results log */
  log: Pick<EventStore, 'name'>;
  /**
   * Appends an event to a stream of the results log.
   *
   * @param since the earliest time at which it can have been stored before, milliseconds since 1970; null: it can't
   */
  append: (stream: string, event: NewEvent, since: number | null) => Promise<{ position: bigint }>;
  list: (context: { appended: Noted }) => DueList<OpenGroupItem>;
  todo: TodoProjection;
}

/** Ends parallel runs whose regions have not all answered by the deadline; those begun before count too. */
export const executionDeadlinesReactor = (dependencies: ExecutionDeadlinesDependencies): Reactor => ({
  name: EXECUTION_DEADLINES,
  countsEarlier: true,
  todo: dependencies.todo,
  work: dueWork(EXECUTION_DEADLINES, dependencies.todo, dependencies.list, endGroup(dependencies), {
    longest: LONGEST_MS,
  }),
});

/** What the regions answer meanwhile is before or after this event in the log, and the order decides. */
const endGroup =
  ({ log, append }: ExecutionDeadlinesDependencies) =>
  async (item: OpenGroupItem, { now, appended }: DueContext): Promise<Ending> => {
    const event = timedOut(item, now);
    const due = millisecondsOf(item.due_at);
    const since = millisecondsOf(now) - due >= PROMPT_MS ? due : null;
    const { position } = await append(streamOf('execution_groups', shardOf(item.id)), event, since);
    noteAppended(appended, log.name, [event], position);
    return done();
  };

const timedOut = (
  { id, check_id, organization_id, run_id }: OpenGroupItem,
  now: Instant,
): NewEvent<ExecutionGroupEvent> =>
  systemEvent(
    {
      type: 'ExecutionGroupTimedOut',
      data: { execution_group_id: id, ...(check_id !== null && { check_id }), organization_id },
    },
    {
      id: derivedUuid(`${EXECUTION_DEADLINES}/${id}`),
      by: EXECUTION_DEADLINES,
      organizationId: organization_id,
      causeId: run_id,
      now,
    },
  );
