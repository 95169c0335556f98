import { join } from 'node:path';
import type { Imported } from '../../../../cli/import-from/imported.ts';
import { read } from '../../../../cli/import-from/uptime-kuma/source.ts';
import { assertAccepted } from '../assert-accepted.ts';
import { createKumaDatabase, type KumaTables, type KumaVersion } from './kuma-database.ts';

export const NOW = '2026-03-01T12:00:00.000000';

/** Imports a database with these rows, and asserts that the API accepts the objects. */
export const imported = (folder: string, version: KumaVersion, tables: KumaTables): Imported => {
  const file = join(folder, 'kuma.db');
  createKumaDatabase(file, version, tables);
  const result = read(file, NOW);
  assertAccepted(result.configuration);
  return result;
};

/** Returns the entry with a name. */
export const fields = (list: readonly { name: string }[] | undefined, name: string) =>
  list?.find((one) => one.name === name) as Record<string, unknown> | undefined;
