import { randomUUID } from 'node:crypto';
import { streamOf } from '../../domain/decider.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import { systemEvent } from '../../domain/system-event.ts';
import { instantOf } from '../../domain/time.ts';
import { WrongExpectedRevision, type EventStore } from './port.ts';

/**
 * Returns the id of a log, which is the id of its first event. If the log is empty, appends that event first
 * (docs/develop/projections.md#generations). Call this before appending any other event.
 *
 * @param clock returns milliseconds since 1970
 * @throws Error the log is not the one its name says, or begins without an id
 */
export const openLogIdentity = async (store: EventStore, clock: () => number = Date.now): Promise<string> => {
  return (await readLogIdentity(store)) ?? begin(store, clock);
};

/**
 * Returns the id of a log; null if the log is empty.
 *
 * @throws Error the log is not the one its name says, or begins without an id
 */
export const readLogIdentity = async (store: EventStore): Promise<string | null> => {
  const first = await store.first();
  return first && idOf(store.name, first);
};

const begin = async (store: EventStore, clock: () => number): Promise<string> => {
  const id = randomUUID();
  const opened = systemEvent(
    { type: 'LogOpened', data: { log_id: id, log: store.name } },
    { id: randomUUID(), by: 'event-store', organizationId: null, now: instantOf(clock()) },
  );
  try {
    await store.append(streamOf('log', store.name), [opened], 'no_stream');
    return id;
  } catch (error) {
    if (!(error instanceof WrongExpectedRevision)) throw error;
    // Another process has appended the first event.
    return openLogIdentity(store, clock);
  }
};

const idOf = (name: string, { type, data }: RecordedEvent): string => {
  const { log_id: id, log } = data as { log_id?: string; log?: string };
  if (type !== 'LogOpened' || id === undefined) {
    throw new Error(`The log ${name} does not begin with its id; it was not created by Uptrail, or is damaged.`);
  }
  if (log !== name) throw new Error(`This is the log ${String(log)}, not the log ${name}.`);
  return id;
};
