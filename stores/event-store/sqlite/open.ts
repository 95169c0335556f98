import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { SqliteError, type Connection } from '../../sqlite/driver.ts';
import type { RecordedEvent } from '../../../domain/event.ts';
import type { Instant } from '../../../domain/time.ts';
import { followLog, type LogScan } from '../follow.ts';
import { actualRevision } from '../append-outcome.ts';
import { DamagedEvent, StoreUnavailable, WrongExpectedRevision, type EventStore } from '../port.ts';
import { serializeAppend } from '../serialized.ts';
import { createSqliteGrowth } from './growth.ts';
import { startLogThread, type LogAppender } from './log-appender.ts';
import { createLogReader, type LogReader } from './reader.ts';
import { openForReading, openForWriting } from './schema.ts';
import { createLogWriter } from './writer.ts';

export interface SqliteEventStoreOptions {
  file: string;
  name: 'main' | 'results';
  /**
   * `service`: appends in groups, in a separate thread; only one service may use a file. `reader`: only reads.
   * `appender`: appends in the calling thread, for the command line. Readers and appenders may use the file while a
   * service uses it.
   */
  mode: 'service' | 'reader' | 'appender';
}

/** A log that can remove old events. EventStoreDB removes old events by itself. */
export interface SqliteEventStore extends EventStore {
  /**
   * Removes results that were recorded before an instant. Works in small steps, so that appends can run in between.
   * Never removes the last event of a stream.
   *
   * @returns the number of results removed, even if the signal has ended the removal early
   * @throws StoreUnavailable
   */
  removeBefore: (before: Instant, signal: AbortSignal) => Promise<number>;
}

const PAGE = 1_000;
/** Milliseconds between two steps of retention. */
const REMOVAL_PAUSE = 5;

/**
 * Opens a log in a SQLite file. All reads run in the calling thread, in pages. Appends resolve when their commit is on
 * the disk.
 *
 * @throws Error the file can't be opened, is absent (`reader`), or was written by a newer release
 */
export const openSqliteEventStore = async ({
  file,
  name,
  mode,
}: SqliteEventStoreOptions): Promise<SqliteEventStore> => {
  const appends = await openAppends({ file, name, mode });
  const { connection, reader } = await openForReadingOr(appends.close, file);
  const growth = createSqliteGrowth(name, file, reader.dataVersion);

  /**
   * Runs a read. Maps errors of SQLite to StoreUnavailable, because a later read may succeed. Any other error is a bug,
   * and is thrown unchanged.
   */
  const available = <T>(read: () => T): T => {
    if (growth.closed) throw new StoreUnavailable(`The log ${name} is closed.`);
    try {
      return read();
    } catch (error) {
      if (!(error instanceof SqliteError)) throw error;
      throw new StoreUnavailable(`The log ${name} can't be read: ${error.message}.`, { cause: error });
    }
  };

  return {
    name,

    append: async (stream, events, expected) => {
      const response = await appends.append({ stream, events: serializeAppend(stream, events), expected });
      switch (response.outcome) {
        case 'appended':
          growth.grew();
          return { revision: BigInt(response.revision), position: BigInt(response.position) };
        case 'conflict':
          throw new WrongExpectedRevision(stream, expected, actualRevision(response.actual));
        case 'damaged':
          throw new DamagedEvent(response.message, { stream });
        case 'unavailable':
          throw new StoreUnavailable(response.message);
      }
    },

    first: async () => available(() => reader.scan(0n, undefined, 1)).events[0] ?? null,

    readStream: async (stream, options) => available(() => reader.readStream(stream, options)),

    readAll: async ({ after, inclusive = false, categories, limit = PAGE }) => {
      const events: RecordedEvent[] = [];
      for (let position = inclusive ? after - 1n : after; ;) {
        const scan = unlessDamaged(events.length > 0, () =>
          available(() => reader.scan(position, categories, limit - events.length)),
        );
        if (!scan) return events;
        events.push(...scan.events);
        if (!categories || events.length >= limit || scan.upTo === position) return events;
        position = scan.upTo;
        await turn();
      }
    },

    subscribe: (options) =>
      followLog(async (after, categories) => available(() => reader.scan(after, categories, PAGE)), growth, options),

    removeBefore: async (before, signal) => {
      let count = 0;
      for (let after = 0, done = false; !done && !signal.aborted;) {
        const step = await appends.remove({ after, before });
        if (step.outcome === 'unavailable') throw new StoreUnavailable(step.message);
        ({ upTo: after, done } = step);
        count += step.count;
        if (!done) await sleep(REMOVAL_PAUSE, undefined, { signal }).catch(() => undefined);
      }
      return count;
    },

    health: async () => appends.health(),

    close: async () => {
      if (growth.closed) return;
      growth.close();
      connection.close();
      // Close the writing connection last: only the last connection to the file can remove the WAL, so that the log
      // consists of a single file.
      await appends.close();
    },
  };
};

/** Runs a scan. Returns null if the next event is damaged, but events before it must be returned first. */
const unlessDamaged = (hasSome: boolean, scan: () => LogScan): LogScan | null => {
  try {
    return scan();
  } catch (error) {
    if (hasSome && error instanceof DamagedEvent) return null;
    throw error;
  }
};

const openForReadingOr = async (
  giveUp: () => Promise<void>,
  file: string,
): Promise<{ connection: Connection; reader: LogReader }> => {
  let connection;
  try {
    connection = openForReading(file);
    return { connection, reader: createLogReader(connection) };
  } catch (error) {
    connection?.close();
    await giveUp();
    if (!(error instanceof SqliteError)) throw error;
    throw new Error(`${file} can't be read: ${error.message}.`, { cause: error });
  }
};

const openAppends = async ({ file, name, mode }: SqliteEventStoreOptions): Promise<LogAppender> => {
  switch (mode) {
    case 'service':
      return startLogThread({ name, file });
    case 'reader':
      return refuseAppends(name);
    case 'appender':
      return appendInThread(name, file);
  }
};

const refuseAppends = (name: string): LogAppender => {
  const message = `The log ${name} is open for reading only.`;
  return {
    append: async () => ({ outcome: 'unavailable', message }),
    remove: async () => ({ outcome: 'unavailable', message }),
    health: () => ({ writable: false, message }),
    close: async () => {
      // A reader has no writing connection, so there is nothing to close.
    },
  };
};

const appendInThread = (name: string, file: string): LogAppender => {
  const writer = createLogWriter(name, () => openForWriting(file));
  let closed = false;
  return {
    append: async (request) => {
      const response = closed ? undefined : writer.write([request])[0];
      if (!closed) writer.checkpoint();
      return response ?? { outcome: 'unavailable', message: `The log ${name} is closed.` };
    },
    remove: async (step) =>
      closed ? { outcome: 'unavailable', message: `The log ${name} is closed.` } : writer.remove(step),
    health: () => ({ writable: writer.failure === null, message: writer.failure }),
    close: async () => {
      if (!closed) writer.close();
      closed = true;
    },
  };
};
