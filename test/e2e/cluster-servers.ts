import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDoubleProcess, type DoubleProcess } from '../servers/eventstoredb/process.ts';
import {
  skippedWithoutMongoDb,
  startMongoDb,
  testDatabase,
  type MongoDbServer,
  type TestDatabase,
} from '../servers/mongodb/server.ts';

/** The two servers of a cluster, for the processes of one test. */
export interface ClusterServers {
  eventStoreDb: DoubleProcess;
  mongoDb: MongoDbServer;
  database: TestDatabase;
  /** what every process of the cluster gets */
  environment: Record<string, string>;
  stop: () => Promise<void>;
}

/** Whether there is nothing to make a cluster of; then it says so, in a way that is seen and counted. */
export const skippedWithoutCluster = skippedWithoutMongoDb;

/** @param folder where the events are kept until it stops; else one of its own */
export const startClusterServers = async (
  folder = mkdtempSync(join(tmpdir(), 'uptrail-cluster-')),
): Promise<ClusterServers> => {
  mkdirSync(folder, { recursive: true });
  const [eventStoreDb, mongoDb] = await Promise.all([startDoubleProcess(join(folder, 'events.jsonl')), startMongoDb()]);
  const database = testDatabase(mongoDb);
  return {
    eventStoreDb,
    mongoDb,
    database,
    environment: {
      EVENTSTOREDB_URL: `esdb://127.0.0.1:${eventStoreDb.port.toString()}?tls=false`,
      MONGODB_URL: database.url,
      SECRETS_KEY: '5'.repeat(64),
    },
    stop: async () => {
      await eventStoreDb.end('SIGTERM');
      await database.drop();
      await mongoDb.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
