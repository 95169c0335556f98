import { existsSync } from 'node:fs';
import { openFileArtifacts } from '../../stores/artifacts/files/open.ts';
import type { Artifacts } from '../../stores/artifacts/port.ts';
import { openSqliteCoordination } from '../../stores/coordination/sqlite.ts';
import type { EmbeddedCoordination } from '../../stores/coordination/port.ts';
import { checked } from '../../stores/event-store/checked.ts';
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

/** A log as it is stored: nothing is checked, and no event is upcast. */
export const openRawLog = (
  directory: DataDirectory,
  name: LogName,
  mode: SqliteEventStoreOptions['mode'],
): Promise<SqliteEventStore> =>
  openSqliteEventStore({ file: name === 'main' ? directory.events : directory.results, name, mode });

/** A log whose events are checked on append and have their newest version on read. */
export const openLog = async (
  directory: DataDirectory,
  name: LogName,
  mode: SqliteEventStoreOptions['mode'],
): Promise<EventStore> => checked(await openRawLog(directory, name, mode));

export const openReadModels = (directory: DataDirectory, mode: 'reader' | 'writer'): ReadStore =>
  openSqliteReadStore({ directory: directory.readModels, mode });

export const openCoordination = (directory: DataDirectory): EmbeddedCoordination =>
  openSqliteCoordination({ file: directory.coordination });

/** Only the service of the directory may write to them, or a process that keeps it out. @throws ArtifactIndexLost */
export const openArtifacts = (directory: DataDirectory, config: Pick<Config, 'artifactsLimitMib'>): Artifacts =>
  openFileArtifacts({ folder: directory.artifacts, limits: artifactLimits(config) });

/**
 * @param absent what happens when there are no keys: they are made for a new log, and refused where they were lost,
 *   since new keys could not open what is sealed in the log
 * @throws OperatorError
 */
export const openKeys = (
  directory: DataDirectory,
  config: Pick<Config, 'secretsKey'>,
  absent: 'made' | 'refused',
): SqliteKeys => {
  if (absent === 'refused' && !existsSync(directory.keys)) {
    throw new OperatorError(
      `${directory.keys} is not there, but the log is, and what is sealed in it needs its keys. Restore that file from ` +
        'a backup. Where they are lost for good, uptrail keys new goes on without them.',
    );
  }
  return openSqliteKeys({ file: directory.keys, wrappingKey: wrappingKey(directory, config.secretsKey) });
};
