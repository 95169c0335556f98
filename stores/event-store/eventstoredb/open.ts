import { RESULT_CATEGORIES } from '../../../domain/event-types.ts';
import { categoryOf } from '../../../domain/decider.ts';
import type { ConnectionWatch } from '../../connection-watch.ts';
import { watchServerResponses, type ServerWatchOptions } from '../../eventstoredb/responsiveness.ts';
import { connect, type Connection } from '../../eventstoredb/connection.ts';
import { READ_ALL, RightMissing } from '../../eventstoredb/rights.ts';
import { APPEND_DEADLINE, openSharedLog, type LogOptions, type SharedLog } from './log.ts';
import { readNewest } from './read.ts';
import { setMaxAge } from './retention.ts';
import { whileResponsive } from './while-responsive.ts';
import { DAY_SECONDS } from '../../../domain/time.ts';

export interface EventStoreDbOptions extends LogOptions {
  /** is notified of problems with the server */
  watch?: ConnectionWatch;
  /** number of UTC days for which results are stored; if absent, the retention of streams is not set */
  resultRetentionDays?: number;
  /** how an unresponsive server is detected and reported */
  watching?: ServerWatchOptions;
}

/** The two logs of a server (docs/decisions/0002-two-logs.md). */
export interface EventStoreDb {
  main: SharedLog;
  results: SharedLog;
  /**
   * Checks whether the server lets the user read the logs.
   *
   * @throws StoreUnavailable, RightMissing
   */
  checkAccess: () => Promise<void>;
  /**
   * Sets the retention of a stream of the log `results`, unless it is set already. With `resultRetentionDays`, the
   * first append of this process to a stream sets the retention automatically.
   *
   * @throws StoreUnavailable
   */
  setRetention: (stream: string, days: number) => Promise<void>;
  /** Closes both logs, and the connection. */
  close: () => Promise<void>;
}

/** Timeout of `checkAccess`, in milliseconds. */
const ADMISSION_DEADLINE = 5_000;
/** Milliseconds before the next attempt to set the retention of a stream, after the server has refused to set it. */
const REFUSED_PAUSE = 600_000;

/**
 * Opens both logs on an EventStoreDB. Sends no request yet, so it succeeds even if the server is down or refuses the
 * user: the first call fails in this case, and `health` reports it.
 *
 * @param connectionString `esdb://…` or `esdb+discover://…`
 * @throws BadConnectionString the connection string can't be used; the message is a sentence
 */
export const openEventStoreDb = (connectionString: string, options: EventStoreDbOptions = {}): EventStoreDb => {
  const connection = connect(connectionString, { watch: options.watch });
  const { appendDeadline = APPEND_DEADLINE, resultRetentionDays, prefix = '' } = options;
  const retain = async (stream: string, days: number): Promise<void> => {
    // The current day is retained in addition to the given number of whole days.
    await setMaxAge(connection, `${prefix}${stream}`, (days + 1) * DAY_SECONDS, appendDeadline);
  };
  const answering = watchServerResponses(connection, options.watching);
  const main = whileResponsive(openSharedLog(connection, 'main', options), answering, false);
  const results = whileResponsive(openSharedLog(connection, 'results', options), answering, true);
  return {
    main,
    results:
      resultRetentionDays === undefined
        ? results
        : retaining(results, connection, (stream) => retain(stream, resultRetentionDays)),
    setRetention: retain,
    checkAccess: async () => {
      await readNewest(connection, 1, ADMISSION_DEADLINE).catch((error: unknown) => {
        throw connection.failed(error, READ_ALL);
      });
    },
    close: async () => {
      answering.close();
      await Promise.all([main.close(), results.close()]);
      await connection.close();
    },
  };
};

/** Wraps a log so that the first append to a stream of results sets the retention of the stream. */
const retaining = (
  log: SharedLog,
  { reportFailure }: Pick<Connection, 'reportFailure'>,
  retain: (stream: string) => Promise<void>,
): SharedLog => {
  const retained = new Set<string>();
  return {
    ...log,
    append: async (stream, events, expected) => {
      const appended = await log.append(stream, events, expected);
      if (RESULT_CATEGORIES.includes(categoryOf(stream)) && !retained.has(stream)) {
        retained.add(stream);
        // The append itself has succeeded, so the failure is only reported. A later append tries again to set the
        // retention.
        retain(stream).catch((error: unknown) => {
          reportFailure(error);
          setTimeout(() => retained.delete(stream), error instanceof RightMissing ? REFUSED_PAUSE : 0).unref();
        });
      }
      return appended;
    },
  };
};
