import type { Db } from 'mongodb';
import type { Responsiveness } from '../responsiveness.ts';
import type { ConnectionTrouble } from '../connection-diagnosis.ts';
import type { ConnectionWatch } from '../connection-watch.ts';

/** A database of a MongoDB server, shared by the adapters in the neighbouring folders. */
export interface MongoDb {
  readonly db: Db;
  /**
   * Resolves when the server has been reached for the first time. From then on, the client reconnects automatically.
   */
  ready: () => Promise<unknown>;
  /** circuit breaker through which all calls to the server go */
  readonly responsiveness: Responsiveness;
  /** is notified of problems with the connection */
  readonly watch: ConnectionWatch;
  /** Wraps a connection error in an error with a function that finds the cause. */
  withExplanation: (error: Error) => ConnectionTrouble;
  /** Closes the connections. First close all adapters that use the database. */
  close: () => Promise<void>;
}
