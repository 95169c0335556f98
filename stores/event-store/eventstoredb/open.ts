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
  /** Receives troubles with the server. */
  watch?: ConnectionWatch;
  /** number of UTC days for which results are stored; absent: the streams' metadata stays unchanged */
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
   * Sets once how long a stream of the results log is retained. With `resultRetentionDays`, this happens automatically
   * at this process's first append to a stream.
   *
   * @throws StoreUnavailable
   */
  setRetention: (stream: string, days: number) => Promise<void>;
  /** Closes both logs, and the connection. */
  close: () => Promise<void>;
}

/** Milliseconds. */
const ADMISSION_DEADLINE = 5_000;
/** Milliseconds before retrying with a server that refused to set the retention of a stream. */
const REFUSED_PAUSE = 600_000;

/**
 * Opens both logs on an EventStoreDB. Sends no request yet: `health` and every call notice a server that is down or
 * refuses the user.
 *
 * @param connectionString `esdb://…` or `esdb+discover://…`
 * @throws BadConnectionString it can't be used; the message is a sentence
 */
export const openEventStoreDb = (connectionString: string, options: EventStoreDbOptions = {}): EventStoreDb => {
  const connection = connect(connectionString, { watch: options.watch });
  const { appendDeadline = APPEND_DEADLINE, resultRetentionDays, prefix = '' } = options;
  const retain = async (stream: string, days: number): Promise<void> => {
    // Whole days are retained, plus the current one.
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

/** A log that sets the retention of each stream of results at the first append to it. */
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
        // The append succeeded regardless; a later append retries this.
        retain(stream).catch((error: unknown) => {
          reportFailure(error);
          setTimeout(() => retained.delete(stream), error instanceof RightMissing ? REFUSED_PAUSE : 0).unref();
        });
      }
      return appended;
    },
  };
};
