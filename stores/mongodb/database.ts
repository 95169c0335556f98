import type { Db } from 'mongodb';
import type { Answering } from '../answering.ts';
import type { ConnectionTrouble } from '../connection-trouble.ts';
import type { Watch } from '../connection-watch.ts';

/** A database of a MongoDB server, for the adapters of this folder's neighbours. */
export interface MongoDb {
  readonly db: Db;
  /** Resolves when the server has been reached once; from then on the client finds it again by itself. */
  ready: () => Promise<unknown>;
  /** whether the server answers, judged by all calls to it */
  readonly answering: Answering;
  /** receives what is wrong with the connection */
  readonly watch: Watch;
  /** An error of the connection, with what can be found out about its cause. */
  explained: (error: Error) => ConnectionTrouble;
  /** Call after everything that uses it has been closed. */
  close: () => Promise<void>;
}
