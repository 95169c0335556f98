import { randomUUID } from 'node:crypto';
import { streamOf } from '../../../domain/decider.ts';
import { systemEvent } from '../../../domain/system-event.ts';
import { instantOf } from '../../../domain/time.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import type { Checkpoint } from '../../../stores/read-store/port.ts';

/**
 * Marks the end of a log by an event. A reader that has passed the mark has read all events before it.
 *
 * @param now current time in milliseconds since 1970
 * @returns position of the mark
 */
export const markLog = async (store: EventStore, now: number): Promise<bigint> => {
  const mark = systemEvent(
    { type: 'LogMarked', data: { mark: randomUUID() } },
    { id: randomUUID(), by: 'log', organizationId: null, now: instantOf(now) },
  );
  return (await store.append(streamOf('log', store.name), [mark], 'any')).position;
};

/** @throws Error if the log does not begin with its id */
export const readLogId = async (store: EventStore): Promise<string> => {
  const first = await store.first();
  if (first?.type !== 'LogOpened') throw new Error(`The log ${store.name} does not begin with its id.`);
  return (first.data as { log_id: string }).log_id;
};

/**
 * Returns a sentence if a checkpoint cannot belong to this log, for example because an older backup of the log was
 * restored. The log must have been marked after it was opened, so that it has at least one event that the retention
 * keeps.
 *
 * @returns null if the checkpoint fits the log
 */
export const whyCheckpointMisfits = async (store: EventStore, checkpoint: Checkpoint): Promise<string | null> => {
  if (checkpoint.log_id !== (await readLogId(store))) return `It was built from a different log ${store.name}.`;
  const { position, event_id } = checkpoint;
  if (event_id === null) return null;
  const [event] = await store.readAll({ after: position, inclusive: true, limit: 1 });
  if (!event) return `The log ${store.name} ends before position ${position}.`;
  if (event.position === position && event.id === event_id) return null;
  // In the log `results`, the retention might have removed the event of the checkpoint.
  if (event.position > position && store.name === 'results') return null;
  return `The log ${store.name} has a different event at position ${position}.`;
};
