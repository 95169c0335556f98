import { networkInterfaces } from 'node:os';
import type { CheckServer } from '../../domain/check-result/events.ts';
import type { Region } from '../../domain/check/regions.ts';
import { derivedId } from '../../domain/identity.ts';
import type { RegionWork, Workers } from './workers.ts';

export interface LocalRegionsOptions extends Pick<RegionWork, 'probes' | 'queue' | 'anchors' | 'concurrency'> {
  workers: Pick<Workers, 'begin'>;
  /** distinguishes this runner from others; the ids of its servers in results are derived from it */
  identity: string;
}

/** The regions whose checks run in this process. */
export interface LocalRegions {
  /** Serves exactly these regions from now on. Regions that are no longer served are stopped in the background. */
  serve: (regions: readonly Region[]) => void;
  /** Ends runs in progress without results. Waits for results that are being stored. */
  stop: () => Promise<void>;
}

export const createLocalRegions = ({ workers, identity, ...common }: LocalRegionsOptions): LocalRegions => {
  const served = new Map<string, () => Promise<void>>();
  const ending = new Set<Promise<void>>();

  const leave = (id: string): void => {
    const end = served.get(id);
    if (!end) return;
    served.delete(id);
    const ended: Promise<void> = end().finally(() => ending.delete(ended));
    ending.add(ended);
  };

  return {
    serve: (regions) => {
      for (const id of [...served.keys()]) if (!regions.some((region) => region.id === id)) leave(id);
      for (const region of regions)
        if (!served.has(region.id)) {
          const server = serverOf(region, identity);
          served.set(region.id, workers.begin({ ...common, region, server: () => server }));
        }
    },
    stop: async () => {
      for (const id of [...served.keys()]) leave(id);
      await Promise.all(ending);
    },
  };
};

/**
 * Returns the description of this machine for results. It has one server id per region, because people distinguish
 * results by region.
 */
const serverOf = (region: Region, identity: string): CheckServer => ({
  id: derivedId(`check server ${identity} ${region.id}`),
  country: region.country,
  region: region.id,
  ip_address: ownAddress(),
  server_metadata: { provider: 'self-hosted' },
});

/** Returns an address of this machine that other people may see; loopback if there is none. */
const ownAddress = (): string => {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const outer = addresses.filter(({ internal, address }) => !internal && !address.startsWith('fe80:'));
  return (outer.find(({ family }) => family === 'IPv4') ?? outer[0])?.address ?? '127.0.0.1';
};
