import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { instantOf, type Instant } from '../../../domain/time.ts';
import { OperatorError } from '../../../service/operator-error.ts';
import type { Imported } from '../imported.ts';
import { createRemarks } from '../remarks.ts';
import { readBackup } from './backup.ts';
import { monitorsOf } from './checks.ts';
import { readDatabase } from './database.ts';
import { groupsOf } from './groups.ts';
import { incidentsOf, maintenancesOf } from './history.ts';
import { channelsOf } from './notifications/channels.ts';
import { pagesOf } from './pages.ts';
import type { KumaData } from './data.ts';

/** How a database of SQLite begins. */
const MAGIC = 'SQLite format 3\0';
/** Name of the database in the data folder of Uptime Kuma. */
const DATABASE = 'kuma.db';
const MAX_BACKUP = 64 * 1024 * 1024;

/**
 * Reads an installation of Uptime Kuma.
 *
 * @param path the database (`kuma.db`), the folder that contains it, or the JSON backup of version 1.x
 * @param now the present time: maintenances that have ended are not read
 * @throws OperatorError the file can't be read, or is neither of these
 */
export const read = (path: string, now: Instant = instantOf(Date.now())): Imported => importedFrom(dataIn(path), now);

/**
 * Reads the file that a command names.
 *
 * @throws OperatorError as {@link read}, and if there are several files
 */
export const readOne = ([path = '', ...others]: readonly string[]): Imported => {
  if (others.length > 0)
    throw new OperatorError('Name one file of Uptime Kuma. Import several installations one by one.');
  return read(path);
};

const dataIn = (path: string): KumaData => {
  try {
    const isFolder = statSync(path).isDirectory();
    const file = isFolder ? join(path, DATABASE) : path;
    if (beginningOf(file) === MAGIC) return readDatabase(file);
    if (statSync(file).size > MAX_BACKUP) throw new OperatorError(`${file}: The file is too large for a JSON backup.`);
    return readBackup(file, readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`${path}: The file can't be read: ${(error as Error).message}`);
  }
};

const beginningOf = (file: string): string => {
  const descriptor = openSync(file, 'r');
  try {
    const beginning = Buffer.alloc(MAGIC.length);
    const length = readSync(descriptor, beginning, 0, beginning.length, 0);
    return beginning.toString('latin1', 0, length);
  } finally {
    closeSync(descriptor);
  }
};

/** Maps the tables of an installation. */
export const importedFrom = (data: KumaData, now: Instant): Imported => {
  const remarks = createRemarks();
  const groups = groupsOf(data, remarks);
  const channels = channelsOf(data, remarks);
  const monitors = monitorsOf({ data, groups, channelNames: channels.names, remarks });
  const pages = pagesOf(data, monitors, remarks);
  const incidents = [...incidentsOf(data, pages, now), ...maintenancesOf(data, pages, remarks, now)];
  return {
    configuration: {
      check_groups: groups.entries,
      checks: monitors.checks,
      channels: channels.entries,
      rules: monitors.rules,
      heartbeats: monitors.heartbeats,
      pages: pages.entries,
    },
    incidents: incidents.sort((a, b) => ((a.updates[0]?.created_at ?? '') < (b.updates[0]?.created_at ?? '') ? -1 : 1)),
    unmapped: remarks.sentences(),
  };
};
