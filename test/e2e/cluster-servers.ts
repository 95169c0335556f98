import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { leftoversOf, ownPrefix } from '../servers/eventstoredb/leftovers.ts';
import { startEventStoreDb, type StartedEventStoreDb } from '../servers/eventstoredb/started.ts';
import {
  skippedWithoutMongoDb,
  startMongoDb,
  testDatabase,
  type MongoDbServer,
  type TestDatabase,
} from '../servers/mongodb/server.ts';

/** The two servers that the processes of a cluster share in one test. */
export interface ClusterServers {
  eventStoreDb: StartedEventStoreDb;
  mongoDb: MongoDbServer;
  database: TestDatabase;
  /** environment of every process of the cluster */
  environment: Record<string, string>;
  stop: () => Promise<void>;
}

/** Returns whether servers for a cluster are missing. If so, prints a line that counts as a skip. */
export const skippedWithoutCluster = skippedWithoutMongoDb;

/**
 * Connects to the servers that `npm run test:cluster` specifies, or starts stand-ins. Data that a test leaves on
 * permanent servers is removed.
 *
 * @param folder where a stand-in stores the events; by default a temporary folder
 */
export const startClusterServers = async (
  folder = mkdtempSync(join(tmpdir(), 'uptrail-cluster-')),
): Promise<ClusterServers> => {
  const [eventStoreDb, mongoDb] = await Promise.all([startEventStoreDb(folder), startMongoDb()]);
  const database = testDatabase(mongoDb);
  const prefix = ownPrefix();
  const leftovers = eventStoreDb.own ? null : await leftoversOf(eventStoreDb.url, prefix);
  return {
    eventStoreDb,
    mongoDb,
    database,
    environment: {
      EVENTSTOREDB_URL: eventStoreDb.url,
      EVENTSTOREDB_PREFIX: prefix,
      MONGODB_URL: database.url,
      SECRETS_KEY: '5'.repeat(64),
    },
    stop: async () => {
      await leftovers?.remove();
      await eventStoreDb.stop();
      await database.drop();
      await mongoDb.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
