import { Long, MongoClient, MongoServerError, type Db, type MongoClientOptions } from 'mongodb';
import { watchResponsiveness, type ResponsivenessOptions } from '../responsiveness.ts';
import { ConnectionTrouble } from '../connection-diagnosis.ts';
import { UNWATCHED, type ConnectionWatch } from '../connection-watch.ts';
import { failWithClosedConnections } from './closed-connections.ts';
import { diagnose } from './diagnosis.ts';
import type { MongoDb } from './database.ts';
import { reasonOf } from './failures.ts';
import { once } from './once.ts';

/** Name of the database if the URL contains none. */
const DATABASE = 'uptrail';

/** Default options, which the URL may override. Times are in milliseconds. */
const DEFAULTS = {
  appName: 'uptrail',
  /** how long an operation waits for a server that is down */
  serverSelectionTimeoutMS: 2_000,
  connectTimeoutMS: 2_000,
  /** how long the server may take to respond; does not apply to building indexes */
  socketTimeoutMS: 10_000,
  heartbeatFrequencyMS: 5_000,
} as const satisfies MongoClientOptions;

type Timeouts = Omit<typeof DEFAULTS, 'appName'>;

/**
 * Options that the URL can't override. With them, an acknowledged write survives the loss of the primary, and a read
 * returns all acknowledged writes.
 */
const FORCED = {
  writeConcern: { w: 'majority', wtimeoutMS: 8_000 },
  readPreference: 'primary',
} as const satisfies MongoClientOptions;

/** The value of MONGODB_URL can't be used. */
export class WrongMongoDbUrl extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(`MONGODB_URL can't be used: ${reason.replace(/\.$/, '')}.`, options);
    this.name = 'WrongMongoDbUrl';
  }
}

/**
 * Opens a database by its URL, `mongodb://…` or `mongodb+srv://…`. The path of the URL is the name of the database
 * (default: `uptrail`). Connects at the first operation, and reconnects automatically.
 *
 * @param timeouts timeouts in milliseconds; overridden in tests
 * @param watching how an unresponsive server is detected, and who is notified of unresponsiveness and of connection
 * problems
 * @throws WrongMongoDbUrl
 */
export const openMongoDb = (
  url: string,
  timeouts: Partial<Record<keyof Timeouts, number>> = {},
  {
    watch = UNWATCHED,
    ...watching
  }: Pick<ResponsivenessOptions, 'onChange' | 'timings'> & { watch?: ConnectionWatch } = {},
): MongoDb => {
  failWithClosedConnections();
  const unsaid = Object.entries({ ...DEFAULTS, ...timeouts }).filter(
    ([name]) => !new RegExp(`[?&]${name}=`, 'i').test(url),
  );
  try {
    const client = new MongoClient(url, { ...Object.fromEntries(unsaid), ...FORCED });
    const named = /^[^:]+:\/\/[^/]+\/[^?]/.test(url);
    const db = client.db(named ? undefined : DATABASE);
    const ready = connectWithRetries(client);
    const answering = watchResponsiveness({ ...watching, probe: probeOf(db, ready) });
    const close = (): Promise<void> => {
      answering.close();
      return client.close();
    };
    const explained = (error: Error): ConnectionTrouble => new ConnectionTrouble(error, () => diagnose(client, error));
    return { db, ready, responsiveness: answering, watch, withExplanation: explained, close };
  } catch (error) {
    throw new WrongMongoDbUrl(error instanceof Error ? error.message : String(error), { cause: error });
  }
};

/** Returns a function that probes the server, with a shorter timeout than the driver's own. */
const probeOf =
  (db: Db, ready: MongoDb['ready']): ResponsivenessOptions['probe'] =>
  async () => {
    try {
      await ready();
      await db.command({ ping: 1 });
    } catch (error) {
      if (!(error instanceof MongoServerError)) throw new Error(reasonOf(error as Error), { cause: error });
    }
  };

/**
 * Returns a function that connects. After a failure, the next call connects again. Without such retries, a client whose
 * first attempt to connect has failed would never connect, and would always report that it is closed.
 */
const connectWithRetries = (client: MongoClient): (() => Promise<unknown>) => once(() => client.connect());

/** Converts a bigint for BSON. Positions and tokens are 64-bit integers, which JavaScript numbers can't represent. */
export const toLong = (value: bigint): Long => Long.fromBigInt(value);
