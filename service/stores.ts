import { createHandle, type Handle } from '../commands/engine/handle.ts';
import { readLogId } from '../projections/engine/feed/log-marks.ts';
import type { Collections, Projection } from '../projections/engine/fold/define.ts';
import { organizations } from '../projections/organizations/projection.ts';
import type { ProjectionReader } from '../projections/readers.ts';
import { runners } from '../projections/runners/projection.ts';
import type { Artifacts } from '../stores/artifacts/port.ts';
import type { Coordination } from '../stores/coordination/port.ts';
import { createCheckedStore } from '../stores/event-store/checked.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import type { MovableKeys } from '../stores/keys/port.ts';
import type { ReadStore } from '../stores/read-store/port.ts';
import { DirectoryInUse, lockService } from '../stores/service-lock.ts';
import { firstOrganizationOf } from './bootstrap.ts';
import { isCluster, type ClusterConfig, type Config } from './config/config.ts';
import { currentRead } from './current-read.ts';
import { existingDataDirectory, type DataDirectory } from './embedded/data-directory.ts';
import { OperatorError } from './operator-error.ts';
import { LOG_GROWN, notifyService } from './command-socket.ts';
import * as embedded from './embedded/stores.ts';

type LogName = 'main' | 'results';

/** Where the data of a deployment is stored. Commands use this type whether or not a service is running. */
export type Site = DataDirectory | ClusterConfig;

/**
 * Returns the configured cluster or, without a cluster, the data directory.
 *
 * @throws OperatorError there is no data directory
 */
export const siteOf = (config: Config): Site => (isCluster(config) ? config : existingDataDirectory(config.dataDir));

export const isClusterSite = (site: Site): site is ClusterConfig => 'eventStoreDbUrl' in site;

/** Returns whether a service is running on the data. For a cluster, the result is always true. */
export const isServiceRunning = (site: Site): boolean => {
  if (isClusterSite(site)) return true;
  try {
    lockService(site.path).release();
    return false;
  } catch (error) {
    if (error instanceof DirectoryInUse) return true;
    throw error;
  }
};

/** Loads the clients of EventStoreDB and MongoDB. They are only needed for a cluster. */
const cluster = () => import('./cluster/stores.ts');

/** Opens a log as it is stored, without validation and upcasting. */
export const openRawLog = async (site: Site, name: LogName, mode: 'reader' | 'appender'): Promise<EventStore> =>
  isClusterSite(site) ? (await cluster()).openClusterLog(site, name) : embedded.openRawLog(site, name, mode);

/**
 * Opens a log of a cluster so that it can be filled, without validation and upcasting. The log may be empty although
 * its id is stored.
 */
export const openClusterLogToFill = async (site: ClusterConfig, name: LogName): Promise<EventStore> =>
  (await cluster()).openClusterLogToFill(site, name);

/**
 * Opens a log that validates events on append and upcasts them on read. A service that runs on the same directory is
 * notified of appends.
 */
export const openLog = async (site: Site, name: LogName, mode: 'reader' | 'appender'): Promise<EventStore> => {
  const log = createCheckedStore(await openRawLog(site, name, mode));
  if (isClusterSite(site) || mode === 'reader') return log;
  return {
    ...log,
    append: async (...append) => {
      const appended = await log.append(...append);
      await notifyService(site, LOG_GROWN);
      return appended;
    },
  };
};

export const openReadModels = async (site: Site, mode: 'reader' | 'writer'): Promise<ReadStore> =>
  isClusterSite(site) ? (await cluster()).openClusterReadModels(site) : embedded.openReadModels(site, mode);

export const openCoordination = async (site: Site): Promise<Coordination> =>
  isClusterSite(site) ? (await cluster()).openClusterCoordination(site) : embedded.openCoordination(site);

/** @throws OperatorError the keys of a data directory were lost */
export const openKeys = async (
  site: Site,
  config: Pick<Config, 'secretsKey'>,
  absent: 'made' | 'refused' = 'refused',
): Promise<MovableKeys> =>
  isClusterSite(site) ? (await cluster()).openClusterKeys(site) : embedded.openKeys(site, config, absent);

/** Opens the artifacts. While a service runs on a data directory, only that service may write to them. */
export const openArtifacts = async (site: Site, config: Pick<Config, 'artifactsLimitMib'>): Promise<Artifacts> =>
  isClusterSite(site) ? (await cluster()).openClusterArtifacts(site) : embedded.openArtifacts(site, config);

/**
 * Calls `task` with everything that is necessary to execute commands. Works with or without a running service.
 *
 * @throws OperatorError there is no data directory
 */
export const withCommands = async <T>(
  config: Config,
  task: (dependencies: { handle: Handle }) => Promise<T>,
): Promise<T> => {
  const main = await openLog(siteOf(config), 'main', 'appender');
  try {
    return await task({ handle: createHandle({ store: main, clock: Date.now }) });
  } finally {
    await main.close();
  }
};

/**
 * Opens a reader for the present content of a small read model.
 *
 * @param categories the categories of streams that the projection processes
 */
const readNow = async <C extends Collections>(
  config: Config,
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  projection: Projection<C, any>,
  categories: readonly string[],
): Promise<ProjectionReader<C>> => {
  const site = siteOf(config);
  const main = await openLog(site, 'main', 'reader');
  const readStore = await openReadModels(site, 'reader');
  const coordination = await openCoordination(site);
  try {
    return await currentRead(projection, categories, { main, readStore, coordination });
  } finally {
    for (const store of [main, readStore, coordination]) await store.close();
  }
};

/**
 * Opens a reader for the present organizations and API keys.
 *
 * @throws OperatorError there is no data directory
 */
export const readOrganizations = (config: Config) => readNow(config, organizations, ['organization']);

/**
 * Opens a reader for the present remote runners.
 *
 * @throws OperatorError there is no data directory
 */
export const readRunners = (config: Config) => readNow(config, runners, ['runner']);

/**
 * Returns the id of the operator's own organization.
 *
 * @throws OperatorError there is no data directory, or the service was never started on it
 */
export const findFirstOrganization = async (config: Config): Promise<string> => {
  const main = await openLog(siteOf(config), 'main', 'reader');
  const id = await readLogId(main)
    .then(firstOrganizationOf)
    .finally(() => main.close());
  if ((await (await readOrganizations(config)).organizations.get(id)) === null) {
    throw new OperatorError('There is no first organization yet. Start the service once to create it.');
  }
  return id;
};
