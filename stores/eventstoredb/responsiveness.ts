import { NotAnswering, watchAnswers, type Answering, type AnsweringOptions } from '../responsiveness.ts';
import { readNewest } from '../event-store/eventstoredb/read.ts';
import type { Connection } from './connection.ts';
import { isUnanswered, reasonOf } from './failures.ts';
import { READ_ALL } from './rights.ts';

export type WatchingOptions = Pick<AnsweringOptions, 'changed' | 'timings'>;

/** Circuit breaker for a connection: while the server does not respond, calls are refused with StoreUnavailable. */
export const watchServer = (connection: Connection, options: WatchingOptions = {}): Answering => {
  const ask: AnsweringOptions['ask'] = async (milliseconds) => {
    try {
      await readNewest(connection, 1, milliseconds);
    } catch (error) {
      connection.failed(error, READ_ALL);
      if (isUnanswered(error)) throw new Error(reasonOf(error), { cause: error });
    }
  };
  const answering = watchAnswers({ ...options, ask });
  return {
    get silence() {
      return answering.silence;
    },
    call: (...given) =>
      answering.call(...given).catch((error: unknown) => {
        throw error instanceof NotAnswering ? connection.failed(error, READ_ALL) : error;
      }),
    close: answering.close,
  };
};
