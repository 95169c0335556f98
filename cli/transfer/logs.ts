import type { EventStore } from '../../stores/event-store/port.ts';
import { DirectoryInUse, lockService } from '../../stores/service-lock.ts';
import { isCluster, type Config } from '../../service/config/config.ts';
import { makeDataDirectory } from '../../service/embedded/data-directory.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { isClusterSite, openClusterLogToFill, openRawLog, siteOf, type Site } from '../../service/stores.ts';

/** Both logs of a deployment, with events as they are stored. */
export interface DeploymentLogs {
  /** where the logs are, for messages */
  location: string;
  main: EventStore;
  results: EventStore;
  close: () => Promise<void>;
}

/**
 * Opens the logs for an export. A service may be using them.
 *
 * @throws OperatorError there is no data directory
 */
export const openSource = async (config: Config): Promise<DeploymentLogs> => {
  const site = siteOf(config);
  return openBoth(site, isClusterSite(site) ? CLUSTER : site.path);
};

/**
 * Opens the logs for an import, and creates missing ones. No service can start on the data directory until the logs are
 * closed. In a cluster, services can start during the import.
 *
 * @throws OperatorError a service is running on the data directory, or the logs are not writable
 */
export const openTarget = async (config: Config): Promise<DeploymentLogs> => {
  if (isCluster(config)) {
    return both(await openClusterLogToFill(config, 'main'), await openClusterLogToFill(config, 'results'), CLUSTER);
  }
  const directory = makeDataDirectory(config.dataDir);
  const lock = lockTarget(directory.path);
  const logs = await openBoth(directory, directory.path);
  const close = async (): Promise<void> => {
    await logs.close();
    lock.release();
  };
  return { ...logs, close };
};

const CLUSTER = 'the cluster';

const openBoth = async (site: Site, place: string): Promise<DeploymentLogs> =>
  both(await openRawLog(site, 'main', 'appender'), await openRawLog(site, 'results', 'appender'), place);

const both = (main: EventStore, results: EventStore, place: string): DeploymentLogs => ({
  location: place,
  main,
  results,
  close: async () => {
    await main.close();
    await results.close();
  },
});

const lockTarget = (path: string) => {
  try {
    return lockService(path);
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error;
    throw new OperatorError(`A service is running on ${path}. Stop it first, or name another DATA_DIR to import into.`);
  }
};
