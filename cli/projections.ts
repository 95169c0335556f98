import { LAG_COUNTED, listProjections, type ProjectionListing } from '../projections/engine/listing.ts';
import { projections } from '../projections/index.ts';
import { DirectoryInUse, lockService } from '../stores/service-lock.ts';
import type { Config } from './config.ts';
import { existingDataDirectory, type DataDirectory } from './data-directory.ts';
import { table, type Output } from './output.ts';
import { sizeOf } from './size.ts';
import { openCoordination, openLog, openReadModels } from './stores.ts';

/** `uptrail projections`: how far each read model is, how large, and what it does. */
export const listProjectionsHere = async (
  config: Config,
  { json }: { json: boolean },
  output: Output,
): Promise<void> => {
  const directory = existingDataDirectory(config.dataDir);
  const main = await openLog(directory, 'main', 'reader');
  const results = await openLog(directory, 'results', 'reader');
  const readStore = openReadModels(directory, 'reader');
  const coordination = openCoordination(directory);
  try {
    const stores = { main, results };
    const serviceRuns = isServiceRunning(directory);
    const listings = await listProjections({ projections, stores, readStore, coordination, serviceRuns });
    if (json) {
      for (const listing of listings) {
        await output.line(JSON.stringify({ ...listing, position: Number(listing.position) }));
      }
      return;
    }
    const headings = ['NAME', 'VERSION', 'GENERATION', 'LOG', 'POSITION', 'LAG', 'SIZE', 'STATE'];
    for (const line of table(headings, listings.map(cells))) await output.line(line);
  } finally {
    for (const store of [main, results, readStore, coordination]) await store.close();
  }
};

const cells = ({ name, version, generation, log, position, lag, size, state, error }: ProjectionListing): string[] => [
  name,
  version.toString(),
  generation?.toString() ?? '-',
  log,
  position.toString(),
  lag >= LAG_COUNTED ? `${LAG_COUNTED}+` : lag.toString(),
  sizeOf(size),
  error === null ? state : `${state}: ${error}`,
];

const isServiceRunning = ({ path }: DataDirectory): boolean => {
  try {
    lockService(path).release();
    return false;
  } catch (error) {
    if (error instanceof DirectoryInUse) return true;
    throw error;
  }
};
