import type { EventStore } from '../../stores/event-store/port.ts';
import { DirectoryInUse, lockService } from '../../stores/service-lock.ts';
import type { Config } from '../config.ts';
import { existingDataDirectory, makeDataDirectory } from '../data-directory.ts';
import { CommandError } from '../output.ts';
import { openRawLog } from '../stores.ts';

/** Both logs of a deployment, as they are stored. */
export interface Logs {
  /** where they are, for a person */
  place: string;
  main: EventStore;
  results: EventStore;
  close: () => Promise<void>;
}

/**
 * Opens the logs that are exported; a service may be using them.
 *
 * @throws CommandError there is no data directory
 */
export const openSource = async (config: Config): Promise<Logs> => {
  const directory = existingDataDirectory(config.dataDir);
  const main = await openRawLog(directory, 'main', 'appender');
  const results = await openRawLog(directory, 'results', 'appender');
  return { place: directory.path, main, results, close: () => closeAll(main, results) };
};

/**
 * Opens the logs that are imported into, which are made where they are absent. No service can be started on them
 * until they are closed.
 *
 * @throws CommandError a service is running on them, or they can't be written
 */
export const openTarget = async (config: Config): Promise<Logs> => {
  const directory = makeDataDirectory(config.dataDir);
  const lock = lockTarget(directory.path);
  const main = await openRawLog(directory, 'main', 'appender');
  const results = await openRawLog(directory, 'results', 'appender');
  const close = async (): Promise<void> => {
    await closeAll(main, results);
    lock.release();
  };
  return { place: directory.path, main, results, close };
};

const lockTarget = (path: string) => {
  try {
    return lockService(path);
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error;
    throw new CommandError(`A service is running on ${path}. Stop it first, or name another DATA_DIR to import into.`);
  }
};

/** Whether a service is at work on the source, and goes on appending. */
export const isServed = (config: Config): boolean => {
  try {
    lockService(existingDataDirectory(config.dataDir).path).release();
    return false;
  } catch (error) {
    if (error instanceof DirectoryInUse) return true;
    throw error;
  }
};

const closeAll = async (main: EventStore, results: EventStore): Promise<void> => {
  await main.close();
  await results.close();
};
