import { streamOf } from '../../domain/decider.ts';
import type { NewEvent } from '../../domain/event.ts';
import { executionGroupEvents, shardOf, type ExecutionGroupEvent } from '../../domain/execution-group/events.ts';
import { derivedUuid } from '../../domain/identity.ts';
import type { Instant } from '../../domain/time.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { noteAppended, type Noted } from '../appended.ts';
import { dueWork, type DueContext, type DueItem, type DueList } from './due.ts';
import type { Reactor, TodoProjection } from './loop.ts';

const NAME = 'execution-deadlines';
/** A parallel run of the longest timeout has ended by then. */
const LONGEST_MS = 900_000;

/** An item of the to-do list `open_groups`: a parallel run that has not ended. */
export interface OpenGroupItem extends DueItem {
  check_id: string | null;
  organization_id: string;
  run_id: string;
}

export interface ExecutionDeadlinesDependencies {
  /** the results log */
  log: Pick<EventStore, 'name' | 'append'>;
  list: (context: { appended: Noted }) => DueList<OpenGroupItem>;
  todo: TodoProjection;
}

/** Ends parallel runs whose regions have not all answered by the deadline; those begun before count too. */
export const executionDeadlinesReactor = ({ log, list, todo }: ExecutionDeadlinesDependencies): Reactor => ({
  name: NAME,
  countsEarlier: true,
  todo,
  work: dueWork(NAME, list, endGroup(log), { longest: LONGEST_MS }),
});

/** Whatever the regions answer meanwhile stands before or after this event, and the order decides. */
const endGroup =
  (log: ExecutionDeadlinesDependencies['log']) =>
  async (item: OpenGroupItem, { now, appended }: DueContext): Promise<void> => {
    const event = timedOut(item, now);
    const { position } = await log.append(streamOf('execution_groups', shardOf(item.id)), [event], 'any');
    noteAppended(appended, log.name, [event], position);
  };

const timedOut = (
  { id, check_id, organization_id, run_id }: OpenGroupItem,
  now: Instant,
): NewEvent<ExecutionGroupEvent> => ({
  id: derivedUuid(`${NAME}/${id}`),
  type: 'ExecutionGroupTimedOut',
  data: { execution_group_id: id, ...(check_id !== null && { check_id }), organization_id },
  metadata: {
    $correlationId: run_id,
    $causationId: run_id,
    command_id: derivedUuid(`${NAME}/${id}`),
    actor: { kind: 'system', id: NAME, role: null },
    organization_id,
    recorded_at: now,
    schema_version: executionGroupEvents.ExecutionGroupTimedOut.version,
  },
});
