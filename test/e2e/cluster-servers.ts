import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  skippedWithoutMongoDb,
  startMongoDb,
  testDatabase,
  type MongoDbServer,
  type TestDatabase,
} from '../servers/mongodb/server.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** EventStoreDB's double as a process that keeps its events in a file, so that it can be killed and started again. */
export interface EventStoreDbProcess {
  port: number;
  /** Ends it by a signal and waits until it is gone. */
  end: (signal: NodeJS.Signals) => Promise<void>;
  /** Starts it again, on the same port with the same events. */
  again: () => Promise<void>;
}

export const startEventStoreDb = async (file: string): Promise<EventStoreDbProcess> => {
  let child: ChildProcess | null = null;
  const start = async (port: number): Promise<number> => {
    const parameters = ['--import', 'tsx', 'test/servers/eventstoredb/main.ts', '--port', String(port), '--file', file];
    // With a channel, so that it ends with this process.
    const started = spawn(process.execPath, parameters, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
    child = started;
    const said = (await once(started.stdout ?? started, 'data')).map(String).join('');
    const listening = /listening on 127\.0\.0\.1:(\d+)/.exec(said);
    if (!listening) throw new Error(`EventStoreDB's double said: ${said}`);
    return Number(listening[1]);
  };
  const port = await start(0);
  return {
    port,
    end: async (signal) => {
      if (child?.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill(signal);
      await gone;
    },
    again: async () => {
      await start(port);
    },
  };
};

/** The two servers of a cluster, for the processes of one test. */
export interface ClusterServers {
  eventStoreDb: EventStoreDbProcess;
  mongoDb: MongoDbServer;
  database: TestDatabase;
  /** what every process of the cluster gets */
  environment: Record<string, string>;
  stop: () => Promise<void>;
}

/** Whether there is nothing to make a cluster of; then it says so, in a way that is seen and counted. */
export const skippedWithoutCluster = skippedWithoutMongoDb;

/** @param folder where the events are kept */
export const startClusterServers = async (folder: string): Promise<ClusterServers> => {
  mkdirSync(folder, { recursive: true });
  const [eventStoreDb, mongoDb] = await Promise.all([startEventStoreDb(join(folder, 'events.jsonl')), startMongoDb()]);
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
    },
  };
};
