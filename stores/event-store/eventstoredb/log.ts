import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { streamOf } from '../../../domain/decider.ts';
import type { RecordedEvent } from '../../../domain/event.ts';
import type { Connection } from '../../eventstoredb/connection.ts';
import { backoffAfter } from '../../eventstoredb/backoff.ts';
import { isMisplaced, UnreadableEvent } from '../../eventstoredb/failures.ts';
import { READ_ALL } from '../../eventstoredb/rights.ts';
import { StoreUnavailable, type EventStore, type ReadAllOptions, type SubscribeOptions } from '../port.ts';
import { serializeAppend } from '../serialized.ts';
import { append } from './append.ts';
import { logStreams } from './log-streams.ts';
import { ForeignTail, type MarkedForeignStretch, type ForeignStretch } from './foreign-stretch.ts';
import { readIdAt, readNewest, readPage, readStream } from './read.ts';
import { subscribeOnce } from './subscribe-once.ts';
import { findNextEvent } from './find-next-event.ts';

export interface LogOptions {
  /** prefix of all stream names, such as `uptrail.`, so that several services can share a server; default: empty */
  prefix?: string;
  /** milliseconds after which an append without a response fails; its outcome is unknown */
  appendDeadline?: number;
  /** milliseconds without an event after which a read fails */
  readSilence?: number;
  /** milliseconds without a message after which a subscription is compared with the end of the log */
  patience?: number;
}

const PAGE = 1_000;
const HEALTH_DEADLINE = 2_000;
/** Default of `appendDeadline`. */
export const APPEND_DEADLINE = 10_000;
const READ_SILENCE = 30_000;
/**
 * Fraction of `readSilence`. If a read returns no event for this fraction of the time, it is assumed to be searching a
 * long stretch of foreign events.
 */
const STEP = 1 / 6;
const PATIENCE = 10_000;

/** A log on a server that other programs write to as well. */
export interface SharedLog extends EventStore {
  /**
   * Returns the stretch at the end of the log that is known to contain only foreign events.
   *
   * @param beyond a position; a stretch that ends at or before this position is ignored
   * @returns null if no such stretch is known
   * @throws StoreUnavailable
   */
  foreignTail: (beyond?: bigint) => Promise<MarkedForeignStretch | null>;
  /**
   * Makes readers skip a stretch that was found earlier, if the event at its end still exists.
   *
   * @throws StoreUnavailable
   */
  skipForeign: (quiet: MarkedForeignStretch) => Promise<void>;
}

/** Opens one of the two logs of a server. `close` leaves the connection open. */
export const openSharedLog = (connection: Connection, name: 'main' | 'results', options: LogOptions): SharedLog => {
  const { prefix = '', appendDeadline = APPEND_DEADLINE, readSilence = READ_SILENCE, patience = PATIENCE } = options;
  const streams = logStreams(name, prefix);
  const closing = new AbortController();
  const pending = new Set<Promise<unknown>>();
  const end = new ForeignTail();
  /** position of the log's first event, which never changes; null until it is known */
  let beginning: bigint | null = null;

  const open = (): void => {
    if (closing.signal.aborted) throw new StoreUnavailable(`The log ${name} is closed.`);
  };

  /** Registers a call as pending, so that `close` waits for it. */
  const counted = async <T>(run: Promise<T>): Promise<T> => {
    pending.add(run);
    try {
      return await run;
    } finally {
      pending.delete(run);
    }
  };

  const ofStream: EventStore['readStream'] = (stream, read = {}) =>
    readStream(connection, streams, stream, read, readSilence);

  const appendAll: EventStore['append'] = async (stream, events, expected) => {
    const serialized = serializeAppend(stream, events);
    const { revision, position } = await append(
      connection,
      { stream, onServer: streams.toServerName(stream) },
      serialized,
      expected,
      appendDeadline,
    );
    if (position !== null) return { revision, position };
    const [last] = await ofStream(stream, { from: revision, limit: 1 });
    if (!last) throw new StoreUnavailable(`The position of an append to ${stream} is unknown.`);
    return { revision, position: last.position };
  };

  const first = async (): Promise<RecordedEvent | null> => {
    const [found] = await ofStream(streamOf('log', name), { limit: 1 });
    beginning ??= found?.position ?? null;
    return found ?? null;
  };

  /** Returns the position at which to begin reading; null: at the server's first event. */
  const placeOf = async ({ after, inclusive = false }: ReadAllOptions): Promise<bigint | null> => {
    if (after === 0n) {
      if (beginning === null) await first();
      if (beginning !== null) return beginning;
    }
    const place = inclusive ? after : end.skip(after);
    return place === 0n ? null : place;
  };

  /**
   * Returns at most `limit` events of the log.
   *
   * @param from position of an event of the server, at which the search begins; null: the start
   * @param atOnce minimum page size
   */
  const search = async (from: bigint | null, options: ReadAllOptions, atOnce = 0): Promise<RecordedEvent[]> => {
    const { after, inclusive = false, categories, limit = PAGE } = options;
    const filter = streams.filter(categories);
    const events: RecordedEvent[] = [];
    const wanted = (position: bigint): boolean => position > after || (inclusive && position === after);
    let at = from;
    /** whether the page that begins at `at` repeats an event that has been processed already */
    let passed = at !== null && !wanted(at);
    while (filter && events.length < limit) {
      const count = Math.max(limit - events.length + (passed ? 1 : 0), atOnce);
      const { items, silent } = await readPage(connection, streams, { from: at, filter, count }, readSilence * STEP);
      for (const { position, event } of items) {
        if (event && events.length < limit && wanted(position) && !(passed && position === at)) events.push(event);
      }
      const last = items.at(-1);
      if (last) [at, passed] = [last.position, true];
      if (silent && events.length < limit) {
        const nextOrEnd = await findNextEvent(connection, streams, { from: at, filter }, readSilence * (1 - STEP));
        if ('end' in nextOrEnd) {
          if (!categories) end.learn({ from: events.at(-1)?.position ?? after, to: nextOrEnd.end });
          break;
        }
        [at, passed] = [nextOrEnd.next, false];
      } else if (items.length < count) break;
    }
    return events;
  };

  const readAll = async (options: ReadAllOptions): Promise<RecordedEvent[]> => {
    if ((options.limit ?? PAGE) <= 0) return [];
    try {
      return await search(await placeOf(options), options);
    } catch (error) {
      if (!isMisplaced(error)) return notAvailable(error);
      if (end.skip(options.after) !== options.after) {
        end.forget();
        return readAll(options);
      }
      // No event is at the position from which the read began, for example because a backup was restored. So search the
      // log from its beginning for the events after this position.
      beginning = null;
      await first();
      return search(beginning, options, PAGE).catch(notAvailable);
    }
  };

  const notAvailable = (error: unknown): never => {
    throw connection.failed(error, READ_ALL);
  };

  async function* subscribe({ after, categories, signal }: SubscribeOptions) {
    const ending = AbortSignal.any([signal, closing.signal]);
    const filter = streams.filter(categories);
    /**
     * `own`: position of the last event that was delivered. `last`: position at which a new subscription continues,
     * which may be the position of a later foreign event
     */
    let own = after;
    let last = end.skip(after);
    let failures = 0;
    const handOver = (events: RecordedEvent[]): RecordedEvent[] => {
      own = last = events.at(-1)?.position ?? last;
      failures = 0;
      return events;
    };
    if (!filter && !ending.aborted) await once(ending, 'abort');
    while (filter && !ending.aborted) {
      try {
        const onQuiet = (quiet: ForeignStretch): void => {
          last = quiet.to;
          if (!categories) end.learn(quiet);
        };
        const settings = { after: last, filter, signal: ending, patience, onForeignStretch: onQuiet };
        for await (const events of subscribeOnce(connection, streams, settings)) yield handOver(events);
      } catch (error) {
        if (error instanceof UnreadableEvent) throw error;
        if (isMisplaced(error) && last !== own) {
          end.forget();
          last = own;
        } else if (isMisplaced(error)) {
          const found = await readAll({ after: last, ...(categories && { categories }) }).catch(() => []);
          if (found.length > 0) yield handOver(found);
        }
        connection.reportFailure(connection.failed(error, READ_ALL));
      }
      await sleep(backoffAfter(failures++), undefined, { signal: ending }).catch(() => undefined);
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

    first: async () => {
      open();
      return first().catch(notAvailable);
    },

    subscribe,

    foreignTail: async (beyond = 0n) => {
      const { known } = end;
      if (!known || known.to <= beyond) return null;
      const id = await readIdAt(connection, known.to, readSilence).catch(notAvailable);
      return id === null ? null : { ...known, id };
    },

    skipForeign: async (quiet) => {
      const id = await readIdAt(connection, quiet.to, readSilence).catch(notAvailable);
      if (id === quiet.id) end.learn(quiet);
    },

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
      await Promise.allSettled(pending);
    },
  };
};
