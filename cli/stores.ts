import { createHandle, type Handle } from '../commands/handle.ts';
import { organizations } from '../projections/organizations/projection.ts';
import { openSqliteCoordination } from '../stores/coordination/sqlite.ts';
import type { EmbeddedCoordination } from '../stores/coordination/port.ts';
import { checked } from '../stores/event-store/checked.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import {
  openSqliteEventStore,
  type SqliteEventStore,
  type SqliteEventStoreOptions,
} from '../stores/event-store/sqlite/open.ts';
import { openSqliteKeys } from '../stores/keys/sqlite.ts';
import type { Keys } from '../stores/keys/port.ts';
import { openSqliteReadStore } from '../stores/read-store/sqlite/open.ts';
import type { ReadStore } from '../stores/read-store/port.ts';
import type { Config } from './config.ts';
import { currentRead } from './current-read.ts';
import { existingDataDirectory, type DataDirectory } from './data-directory.ts';
import { wrappingKey } from './wrapping-key.ts';

type LogName = 'main' | 'results';

/** A log as it is stored: nothing is checked, no event is brought to its newest version. */
export const openRawLog = (
  directory: DataDirectory,
  name: LogName,
  mode: SqliteEventStoreOptions['mode'],
): Promise<SqliteEventStore> =>
  openSqliteEventStore({ file: name === 'main' ? directory.events : directory.results, name, mode });

/** A log whose events are checked on append and of their newest version on read. */
export const openLog = async (
  directory: DataDirectory,
  name: LogName,
  mode: SqliteEventStoreOptions['mode'],
): Promise<EventStore> => checked(await openRawLog(directory, name, mode));

export const openReadModels = (directory: DataDirectory, mode: 'reader' | 'writer'): ReadStore =>
  openSqliteReadStore({ directory: directory.readModels, mode });

export const openCoordination = (directory: DataDirectory): EmbeddedCoordination =>
  openSqliteCoordination({ file: directory.coordination });

export const openKeys = (directory: DataDirectory, config: Pick<Config, 'secretsKey'>): Keys =>
  openSqliteKeys({ file: directory.keys, wrappingKey: wrappingKey(directory, config.secretsKey) });

/**
 * Does something with commands, beside a running service or without one.
 *
 * @throws CommandError there is no data directory
 */
export const withCommands = async <T>(
  config: Config,
  task: (dependencies: { handle: Handle }) => Promise<T>,
): Promise<T> => {
  const main = await openLog(existingDataDirectory(config.dataDir), 'main', 'appender');
  try {
    return await task({ handle: createHandle({ store: main, clock: Date.now }) });
  } finally {
    await main.close();
  }
};

/** Organizations and API keys as they are now. @throws CommandError there is no data directory */
export const readOrganizations = async (config: Config) => {
  const directory = existingDataDirectory(config.dataDir);
  const main = await openLog(directory, 'main', 'reader');
  const readStore = openReadModels(directory, 'reader');
  const coordination = openCoordination(directory);
  try {
    return await currentRead(organizations, ['organization'], { main, readStore, coordination });
  } finally {
    for (const store of [main, readStore, coordination]) await store.close();
  }
};
