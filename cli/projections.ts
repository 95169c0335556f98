import { listProjections, type ProjectionListing } from '../projections/engine/status/listing.ts';
import { listRetainedVersions, type RetainedVersion } from '../projections/engine/status/retained-versions.ts';
import { projections } from '../projections/index.ts';
import type { Config } from '../service/config/config.ts';
import { table, type Output } from '../service/output.ts';
import { formatSize } from './format-size.ts';
import { isServiceRunning, openCoordination, openLog, openReadModels, siteOf } from '../service/stores.ts';

/**
 * `uptrail projections`: shows the progress, size and activity of each read model. With `setAside`, lists the documents
 * that were set aside.
 */
export const runListProjections = async (
  config: Config,
  { json, setAside = false }: { json: boolean; setAside?: boolean },
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
    const now = Date.now();
    const listings = await listProjections({ projections, stores, readStore, coordination, serviceRuns, now });
    if (setAside) {
      await printSetAside(listings, json, output);
      return;
    }
    const retained = await listRetainedVersions({ projections, readStore, coordination });
    if (json) {
      for (const listing of listings) {
        const shown = { ...listing, position: Number(listing.position), set_aside: listing.set_aside.length };
        await output.line(JSON.stringify(shown));
      }
      for (const version of retained) await output.line(JSON.stringify(retainedAsJson(version)));
      return;
    }
    const headings = ['NAME', 'VERSION', 'GENERATION', 'LOG', 'POSITION', 'LAG', 'SIZE', 'STATE'];
    for (const line of table(headings, [...listings.map(cells), ...retained.map(retainedCells)]))
      await output.line(line);
  } finally {
    for (const store of [main, results, readStore, coordination]) await store.close();
  }
};

const printSetAside = async (listings: readonly ProjectionListing[], json: boolean, output: Output): Promise<void> => {
  const all = listings.flatMap(({ name, set_aside }) => set_aside.map((one) => ({ projection: name, ...one })));
  if (json) {
    for (const { event, ...one } of all) {
      const shown = event && { ...event, position: Number(event.position) };
      await output.line(JSON.stringify({ ...one, event: shown }));
    }
    return;
  }
  if (all.length === 0) {
    await output.line('No document is set aside.');
    return;
  }
  const rows = all.map(({ projection, collection, id, event, reason }) => [
    projection,
    collection === null ? `event ${id}` : `${collection}/${id}`,
    event?.position ?? '-',
    event?.type ?? '-',
    event?.recorded_at ?? '-',
    reason,
  ]);
  for (const line of table(['PROJECTION', 'DOCUMENT', 'POSITION', 'EVENT', 'RECORDED', 'REASON'], rows)) {
    await output.line(line);
  }
};

const cells = ({
  name,
  version,
  generation,
  log,
  position,
  lag_seconds,
  size,
  state,
  error,
  set_aside,
}: ProjectionListing): string[] => [
  name,
  version.toString(),
  generation?.toString() ?? '-',
  log,
  position.toString(),
  lagIn(lag_seconds),
  formatSize(size),
  [error === null ? state : `${state}: ${error}`, ...asideIn(set_aside.length)].join(', '),
];

/** Returns a read model of another release with the fields of other read models, and the end of its retention. */
const retainedAsJson = ({ position, retained_until, ...retained }: RetainedVersion): object => ({
  ...retained,
  position: Number(position),
  lag_seconds: null,
  state: 'retained',
  error: null,
  set_aside: 0,
  retained_until: retained_until === null ? null : new Date(retained_until).toISOString(),
});

const retainedCells = ({
  name,
  version,
  generation,
  log,
  position,
  size,
  retained_until,
}: RetainedVersion): string[] => [
  name,
  Number.isNaN(version) ? '-' : version.toString(),
  generation?.toString() ?? '-',
  log ?? '-',
  position.toString(),
  '-',
  formatSize(size),
  retained_until === null
    ? 'not used by this release'
    : `retained until ${new Date(retained_until).toISOString().slice(0, 16)}Z`,
];

const asideIn = (count: number): string[] => (count === 0 ? [] : [`${count} set aside`]);

/** Formats a lag in a unit that fits its size: `95 s`, `16 min`, `47 h`, `3 d`. */
const lagIn = (seconds: number): string => {
  if (seconds < 120) return `${Math.ceil(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} d`;
};
