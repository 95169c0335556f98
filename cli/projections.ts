import { LAG_COUNTED, listProjections, type ProjectionListing } from '../projections/engine/listing.ts';
import { projections } from '../projections/index.ts';
import type { Config } from './config.ts';
import { table, type Output } from './output.ts';
import { sizeOf } from './size.ts';
import { isServiceRunning, openCoordination, openLog, openReadModels, siteOf } from './site.ts';

/** `uptrail projections`: how far each read model is, how large, and what it does. */
export const listProjectionsHere = async (
  config: Config,
  { json }: { json: boolean },
  output: Output,
): Promise<void> => {
  const site = siteOf(config);
  const main = await openLog(site, 'main', 'reader');
  const results = await openLog(site, 'results', 'reader');
  const readStore = await openReadModels(site, 'reader');
  const coordination = await openCoordination(site);
  try {
    const stores = { main, results };
    const serviceRuns = isServiceRunning(site);
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
