import type { Db } from 'mongodb';
import type { Responsiveness } from '../responsiveness.ts';
import type { ConnectionTrouble } from '../connection-diagnosis.ts';
import type { ConnectionWatch } from '../connection-watch.ts';

/** A database of a MongoDB server, shared by the adapters in the neighbouring folders. */
export interface MongoDb {
  readonly db: Db;
  /** Resolves once the server has been reached for the first time; from then on the client reconnects automatically. */
  ready: () => Promise<unknown>;
  /** circuit breaker, informed by all calls to the server */
  readonly responsiveness: Responsiveness;
  /** receives the troubles of the connection */
  readonly watch: ConnectionWatch;
  /** Adds a function that finds the cause to an error of the connection. */
  withExplanation: (error: Error) => ConnectionTrouble;
  /** Call after everything that uses it has been closed. */
  close: () => Promise<void>;
}
