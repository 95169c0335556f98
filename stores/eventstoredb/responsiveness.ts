import {
  ServerUnresponsive,
  watchResponsiveness,
  type Responsiveness,
  type ResponsivenessOptions,
} from '../responsiveness.ts';
import { readNewest } from '../event-store/eventstoredb/read.ts';
import type { Connection } from './connection.ts';
import { isWithoutResponse, reasonOf } from './failures.ts';
import { READ_ALL } from './rights.ts';

export type ServerWatchOptions = Pick<ResponsivenessOptions, 'onChange' | 'timings'>;

/**
 * Creates a circuit breaker for a connection. While the server does not respond, the circuit breaker refuses calls with
 * StoreUnavailable.
 */
export const watchServerResponses = (connection: Connection, options: ServerWatchOptions = {}): Responsiveness => {
  const ask: ResponsivenessOptions['probe'] = async (milliseconds) => {
    try {
      await readNewest(connection, 1, milliseconds);
    } catch (error) {
      connection.failed(error, READ_ALL);
      if (isWithoutResponse(error)) throw new Error(reasonOf(error), { cause: error });
    }
  };
  const answering = watchResponsiveness({ ...options, probe: ask });
  return {
    get silence() {
      return answering.silence;
    },
    call: (...given) =>
      answering.call(...given).catch((error: unknown) => {
        throw error instanceof ServerUnresponsive ? connection.failed(error, READ_ALL) : error;
      }),
    close: answering.close,
  };
};
