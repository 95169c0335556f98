import { existsSync } from 'node:fs';
import { openFileArtifacts } from '../../stores/artifacts/files/open.ts';
import type { Artifacts } from '../../stores/artifacts/port.ts';
import { openSqliteCoordination } from '../../stores/coordination/sqlite.ts';
import type { EmbeddedCoordination } from '../../stores/coordination/port.ts';
import { createCheckedStore } from '../../stores/event-store/checked.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import {
  openSqliteEventStore,
  type SqliteEventStore,
  type SqliteEventStoreOptions,
} from '../../stores/event-store/sqlite/open.ts';
import { openSqliteKeys, type SqliteKeys } from '../../stores/keys/sqlite.ts';
import { openSqliteReadStore } from '../../stores/read-store/sqlite/open.ts';
import type { ReadStore } from '../../stores/read-store/port.ts';
import { artifactLimits } from '../artifact-limits.ts';
import type { Config } from '../config/config.ts';
import type { DataDirectory } from './data-directory.ts';
import { OperatorError } from '../operator-error.ts';
import { wrappingKey } from './wrapping-key.ts';

type LogName = 'main' | 'results';

/** Opens a log as it is stored, without validation and upcasting. */
export const openRawLog = (
  directory: DataDirectory,
  name: LogName,
  mode: SqliteEventStoreOptions['mode'],
): Promise<SqliteEventStore> =>
  openSqliteEventStore({ file: name === 'main' ? directory.events : directory.results, name, mode });

/** Opens a log that validates events on append and upcasts them on read. */
export const openLog = async (
  directory: DataDirectory,
  name: LogName,
  mode: SqliteEventStoreOptions['mode'],
): Promise<EventStore> => createCheckedStore(await openRawLog(directory, name, mode));

export const openReadModels = (directory: DataDirectory, mode: 'reader' | 'writer'): ReadStore =>
  openSqliteReadStore({ directory: directory.readModels, mode });

export const openCoordination = (directory: DataDirectory): EmbeddedCoordination =>
  openSqliteCoordination({ file: directory.coordination });

/**
 * Opens the artifacts for writing. The caller must be the only service of the directory, or must lock the directory.
 *
 * @throws ArtifactIndexLost
 */
export const openArtifacts = (directory: DataDirectory, config: Pick<Config, 'artifactsLimitMib'>): Artifacts =>
  openFileArtifacts({ folder: directory.artifacts, limits: artifactLimits(config) });

/**
 * Opens the keys of a data directory.
 *
 * @param absent what to do if there are no keys. `made`: create them, for a new log. `refused`: throw, because the keys
 * of an existing log were lost and new keys could not decrypt its data
 * @throws OperatorError
 */
export const openKeys = (
  directory: DataDirectory,
  config: Pick<Config, 'secretsKey'>,
  absent: 'made' | 'refused',
): SqliteKeys => {
  if (absent === 'refused' && !existsSync(directory.keys)) {
    throw new OperatorError(
      `${directory.keys} is missing. The log exists, and its sealed data needs these keys. Restore the file from ` +
        'a backup. If the keys are lost for good, run uptrail keys new to continue without them.',
    );
  }
  return openSqliteKeys({ file: directory.keys, wrappingKey: wrappingKey(directory, config.secretsKey) });
};
