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

/** The two servers of a cluster, for the processes of one test. */
export interface ClusterServers {
  eventStoreDb: StartedEventStoreDb;
  mongoDb: MongoDbServer;
  database: TestDatabase;
  /** what every process of the cluster gets */
  environment: Record<string, string>;
  stop: () => Promise<void>;
}

/** Whether there is nothing to make a cluster of; then it says so, in a way that is seen and counted. */
export const skippedWithoutCluster = skippedWithoutMongoDb;

/**
 * The servers that `npm run test:cluster` was given, or stand-ins. What a test leaves on servers that stay is removed.
 *
 * @param folder where the events are kept until it stops; else one of its own
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
