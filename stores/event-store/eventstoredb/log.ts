import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordedEvent } from '../../../domain/event.ts';
import type { Connection } from '../../eventstoredb/connection.ts';
import { isMisplaced, pauseAfter, UnreadableEvent } from '../../eventstoredb/failures.ts';
import { READ_ALL } from '../../eventstoredb/rights.ts';
import { StoreUnavailable, type EventStore, type ReadAllOptions, type SubscribeOptions } from '../port.ts';
import { serializeAppend } from '../serialized.ts';
import { append } from './append.ts';
import { logStreams } from './log-streams.ts';
import { readNewest, readPage, readStream } from './read.ts';
import { tail } from './tail.ts';

export interface LogOptions {
  /** begins the names of all streams, ends in a dot, so that several services can share a server; default: nothing */
  prefix?: string;
  /** milliseconds after which an append without an answer is given up, its outcome unknown */
  appendDeadline?: number;
  /** milliseconds without an event after which a read is given up */
  readSilence?: number;
  /** milliseconds of silence after which a subscription is looked after */
  patience?: number;
}

const PAGE = 1_000;
const HEALTH_DEADLINE = 2_000;
/** Default of `appendDeadline`. */
export const APPEND_DEADLINE = 10_000;
const READ_SILENCE = 30_000;
const PATIENCE = 10_000;

/** One of the two logs of a server; the connection outlives it. */
export const openLog = (connection: Connection, name: 'main' | 'results', options: LogOptions): EventStore => {
  const { prefix = '', appendDeadline = APPEND_DEADLINE, readSilence = READ_SILENCE, patience = PATIENCE } = options;
  const streams = logStreams(name, prefix);
  const closing = new AbortController();
  const underWay = new Set<Promise<unknown>>();

  const open = (): void => {
    if (closing.signal.aborted) throw new StoreUnavailable(`The log ${name} is closed.`);
  };

  /** Counts a call as under way, so that closing waits for it. */
  const counted = async <T>(run: Promise<T>): Promise<T> => {
    underWay.add(run);
    try {
      return await run;
    } finally {
      underWay.delete(run);
    }
  };

  const ofStream: EventStore['readStream'] = (stream, read = {}) =>
    readStream(connection, streams, stream, read, readSilence);

  const appendAll: EventStore['append'] = async (stream, events, expected) => {
    const serialized = serializeAppend(stream, events);
    const { revision, position } = await append(
      connection,
      { stream, onServer: streams.onServer(stream) },
      serialized,
      expected,
      appendDeadline,
    );
    if (position !== null) return { revision, position };
    const [last] = await ofStream(stream, { from: revision, limit: 1 });
    if (!last) throw new StoreUnavailable(`The position of an append to ${stream} is unknown.`);
    return { revision, position: last.position };
  };

  /** Events from a place on that are wanted, at most `limit`; null is the start, else an event must stand there. */
  const search = async (
    from: bigint | null,
    { categories, limit = PAGE }: ReadAllOptions,
    wanted: (position: bigint) => boolean,
  ): Promise<RecordedEvent[]> => {
    const filter = streams.filter(categories);
    const events: RecordedEvent[] = [];
    let read: bigint | null = null;
    while (filter) {
      const at: bigint | null = read ?? from;
      // One more, since a page begins with the event at its place, which may have been seen.
      const count = limit - events.length + 1;
      const page = await readPage(connection, streams, { from: at, filter, count }, readSilence);
      for (const { position, event } of page) {
        if (event && events.length < limit && position !== read && wanted(position)) events.push(event);
      }
      read = page.at(-1)?.position ?? null;
      if (page.length < count || read === null || events.length >= limit) break;
    }
    return events;
  };

  const readAll = async (options: ReadAllOptions): Promise<RecordedEvent[]> => {
    const { after, inclusive = false, limit = PAGE } = options;
    if (limit <= 0) return [];
    const wanted = (position: bigint): boolean => position > after || (inclusive && position === after);
    try {
      return await search(after === 0n ? null : after, options, wanted);
    } catch (error) {
      if (!isMisplaced(error)) return notAvailable(error);
      // No event stands there, as after an older copy of the log was restored: only a search finds the next one.
      return search(null, options, wanted).catch(notAvailable);
    }
  };

  const notAvailable = (error: unknown): never => {
    throw connection.failed(error, READ_ALL);
  };

  async function* subscribe({ after, categories, signal }: SubscribeOptions) {
    const ending = AbortSignal.any([signal, closing.signal]);
    const filter = streams.filter(categories);
    let last = after;
    let failures = 0;
    const handOver = (events: RecordedEvent[]): RecordedEvent[] => {
      last = events.at(-1)?.position ?? last;
      failures = 0;
      return events;
    };
    if (!filter && !ending.aborted) await once(ending, 'abort');
    while (filter && !ending.aborted) {
      try {
        const settings = { after: last, filter, signal: ending, patience };
        for await (const events of tail(connection, streams, settings)) yield handOver(events);
      } catch (error) {
        if (error instanceof UnreadableEvent) throw error;
        if (isMisplaced(error)) {
          const found = await readAll({ after: last, ...(categories && { categories }) }).catch(() => []);
          if (found.length > 0) yield handOver(found);
        }
        connection.passedOver(connection.failed(error, READ_ALL));
      }
      await sleep(pauseAfter(failures++), undefined, { signal: ending }).catch(() => undefined);
    }
  }

  return {
    name,

    append: async (stream, events, expected) => {
      open();
      return counted(appendAll(stream, events, expected));
    },

    readStream: async (stream, read) => {
      open();
      return ofStream(stream, read);
    },

    readAll: async (read) => {
      open();
      return readAll(read);
    },

    subscribe,

    health: async () => {
      try {
        open();
        await readNewest(connection, 1, HEALTH_DEADLINE);
        return { writable: true, message: null };
      } catch (error) {
        return { writable: false, message: connection.failed(error, READ_ALL).message };
      }
    },

    close: async () => {
      closing.abort();
      await Promise.allSettled(underWay);
    },
  };
};
