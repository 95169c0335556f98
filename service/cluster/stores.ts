import { openGridFsArtifacts } from '../../stores/artifacts/gridfs/open.ts';
import type { Artifacts } from '../../stores/artifacts/port.ts';
import { openMongoCoordination } from '../../stores/coordination/mongodb/open.ts';
import type { Coordination } from '../../stores/coordination/port.ts';
import type { SharedLog } from '../../stores/event-store/eventstoredb/log.ts';
import { openEventStoreDb } from '../../stores/event-store/eventstoredb/open.ts';
import type { MarkedForeignStretch } from '../../stores/event-store/eventstoredb/foreign-stretch.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { openMongoKeys } from '../../stores/keys/mongodb.ts';
import type { MovableKeys } from '../../stores/keys/port.ts';
import { openMongoDb } from '../../stores/mongodb/open.ts';
import type { MongoDb } from '../../stores/mongodb/database.ts';
import { openMongoReadStore } from '../../stores/read-store/mongodb/open.ts';
import type { ReadStore } from '../../stores/read-store/port.ts';
import { openEventStoreDbQueue } from '../../stores/work-queue/eventstoredb/open.ts';
import type { WorkQueue } from '../../stores/work-queue/port.ts';
import { artifactLimits } from '../artifact-limits.ts';
import type { ClusterConfig } from '../config/config.ts';
import { refuseOtherPrefix, refuseOtherLogs } from '../logs/log-identity.ts';
import { readQuietEnd } from './quiet-ends.ts';

type LogName = 'main' | 'results';

const recognized = new WeakMap<ClusterConfig, Promise<Record<LogName, MarkedForeignStretch | null>>>();

/**
 * Verifies that the servers belong together before a command uses one of them. The result is shared by all stores of
 * the command.
 *
 * @returns what is known about the ends of the logs
 * @throws OperatorError see `refuseOtherLogs`
 */
const recognize = (config: ClusterConfig): Promise<Record<LogName, MarkedForeignStretch | null>> => {
  const known = recognized.get(config);
  if (known) return known;
  const recognizing = compare(config);
  recognized.set(config, recognizing);
  return recognizing;
};

const compare = async (config: ClusterConfig): Promise<Record<LogName, MarkedForeignStretch | null>> => {
  const { eventStoreDbUrl, eventStoreDbPrefix: prefix } = config;
  const coordination = await openClusterCoordination(config);
  const { main, results, close } = openEventStoreDb(eventStoreDbUrl, { prefix });
  try {
    await refuseOtherLogs({ main, results, coordination, prefix });
    return { main: await readQuietEnd(main, coordination), results: await readQuietEnd(results, coordination) };
  } finally {
    await close();
    await coordination.close();
  }
};

/**
 * Opens a log of a cluster for a command, with a connection of its own.
 *
 * @throws OperatorError see `refuseOtherLogs`
 */
export const openClusterLog = async (config: ClusterConfig, name: LogName): Promise<EventStore> => {
  const { [name]: quiet } = await recognize(config);
  const log = openClusterLogToFill(config, name);
  if (quiet) await log.skipForeign(quiet);
  return log;
};

/**
 * Opens a log like {@link openClusterLog}, but also accepts an empty log whose id is stored. The caller fills the log,
 * and must verify the identity of the log.
 */
export const openClusterLogToFill = (config: ClusterConfig, name: LogName): SharedLog => {
  const { eventStoreDbUrl, eventStoreDbPrefix: prefix, resultRetentionDays } = config;
  const opened = openEventStoreDb(eventStoreDbUrl, { prefix, resultRetentionDays });
  return { ...opened[name], close: opened.close };
};

/** @throws OperatorError see `refuseOtherLogs` */
export const openClusterReadModels = async (config: ClusterConfig): Promise<ReadStore> => {
  await recognize(config);
  return withConnection(config, openMongoReadStore);
};

/** @throws OperatorError the database belongs to another prefix */
export const openClusterCoordination = async (config: ClusterConfig): Promise<Coordination> => {
  const coordination = await withConnection(config, openMongoCoordination);
  try {
    await refuseOtherPrefix({ coordination, prefix: config.eventStoreDbPrefix });
    return coordination;
  } catch (error) {
    await coordination.close();
    throw error;
  }
};

/** @throws OperatorError the database belongs to another prefix */
export const openClusterKeys = async (config: ClusterConfig): Promise<MovableKeys> => {
  await (await openClusterCoordination(config)).close();
  return withConnection(config, (mongoDb) => openMongoKeys(mongoDb, { wrappingKey: config.secretsKey }));
};

/** @throws OperatorError the database belongs to another prefix */
export const openClusterArtifacts = async (config: ClusterConfig): Promise<Artifacts> => {
  await (await openClusterCoordination(config)).close();
  return withConnection(config, (mongoDb) => openGridFsArtifacts(mongoDb, { limits: artifactLimits(config) }));
};

/** @throws OperatorError see `refuseOtherLogs` */
export const openClusterQueue = async (config: ClusterConfig): Promise<WorkQueue> => {
  await recognize(config);
  return openEventStoreDbQueue(config.eventStoreDbUrl, { prefix: config.eventStoreDbPrefix });
};

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
