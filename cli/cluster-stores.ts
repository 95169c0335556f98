import { openMongoCoordination } from '../stores/coordination/mongodb/open.ts';
import type { Coordination } from '../stores/coordination/port.ts';
import { openEventStoreDb } from '../stores/event-store/eventstoredb/open.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import { openMongoKeys } from '../stores/keys/mongodb.ts';
import type { MovableKeys } from '../stores/keys/port.ts';
import { openMongoDb, type MongoDb } from '../stores/mongodb/open.ts';
import { openMongoReadStore } from '../stores/read-store/mongodb/open.ts';
import type { ReadStore } from '../stores/read-store/port.ts';
import { openEventStoreDbQueue } from '../stores/work-queue/eventstoredb/open.ts';
import type { WorkQueue } from '../stores/work-queue/port.ts';
import type { ClusterConfig } from './config.ts';

/** What commands open of a cluster, each with a connection of its own. */
export const openClusterLog = (config: ClusterConfig, name: 'main' | 'results'): EventStore => {
  const { eventStoreDbUrl, eventStoreDbPrefix: prefix, resultRetentionDays } = config;
  const opened = openEventStoreDb(eventStoreDbUrl, { prefix, resultRetentionDays });
  return { ...opened[name], close: opened.close };
};

export const openClusterReadModels = (config: ClusterConfig): Promise<ReadStore> =>
  withConnection(config, openMongoReadStore);

export const openClusterCoordination = (config: ClusterConfig): Promise<Coordination> =>
  withConnection(config, openMongoCoordination);

export const openClusterKeys = (config: ClusterConfig): Promise<MovableKeys> =>
  withConnection(config, (mongoDb) => openMongoKeys(mongoDb, { wrappingKey: config.secretsKey }));

export const openClusterQueue = ({ eventStoreDbUrl, eventStoreDbPrefix: prefix }: ClusterConfig): WorkQueue =>
  openEventStoreDbQueue(eventStoreDbUrl, { prefix });

const withConnection = async <T extends { close: () => Promise<void> }>(
  { mongoDbUrl }: ClusterConfig,
  open: (mongoDb: MongoDb) => T | Promise<T>,
): Promise<T> => {
  const mongoDb = openMongoDb(mongoDbUrl);
  const opened = await open(mongoDb);
  return {
    ...opened,
    close: async () => {
      await opened.close();
      await mongoDb.close();
    },
  };
};
