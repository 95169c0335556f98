import type { RunnerPresence } from '../runner/presence.ts';
import type { CheckTypeName } from './events.ts';

/** A region from which checks run (docs/reference/regions.md#public-regions). */
export interface Region {
  /** the id in `parameters.regions` and in results */
  id: string;
  display_name: string;
  /** other names that requests can use instead of the id; the names of streams and queues contain the first one */
  aliases: readonly [string, ...string[]];
  /** country code (ISO 3166-1 alpha-2) */
  country: string;
}

/** The default region, if a runner serves it (docs/reference/regions.md#default-region). */
const MOSCOW: Region = {
  id: 'RU, Moscow',
  display_name: 'Moscow, Russia',
  aliases: ['ru-central1', 'ru-msk1'],
  country: 'RU',
};

/** All public regions. The configuration defines which of them are served. */
export const REGIONS: readonly Region[] = [
  MOSCOW,
  { id: 'IN, Mumbai', display_name: 'Mumbai, India', aliases: ['asia-south1', 'in-mum1'], country: 'IN' },
  { id: 'EU, West', display_name: 'West Europe, Belgium', aliases: ['eu-west1', 'eu-bel1'], country: 'BE' },
  {
    id: 'ZA, Johannesburg',
    display_name: 'Johannesburg, South Africa',
    aliases: ['africa-south1', 'za-jnb1'],
    country: 'ZA',
  },
  {
    id: 'BR, Sao Paulo',
    display_name: 'Sao Paulo, Brazil',
    aliases: ['southamerica-east1', 'br-sao1'],
    country: 'BR',
  },
  { id: 'CN, Hong Kong', display_name: 'Hong Kong, China', aliases: ['asia-east2', 'cn-hk1'], country: 'HK' },
];

const byName = new Map(REGIONS.flatMap((region) => [region.id, ...region.aliases].map((name) => [name, region])));

/** Matches the ids of private locations. An id contains the id of the location's first runner (domain/runner/). */
const PRIVATE = /^private-[0-9a-z]{12}$/;

/**
 * Returns the region of a private location. Users see the name of the runner instead of `display_name`. The country
 * code `ZZ` means "unknown".
 */
export const privateRegion = (runnerId: string): Region => {
  const id = `private-${runnerId}`;
  return { id, display_name: id, aliases: [id], country: 'ZZ' };
};

/** Whether a region is a private location, according to the form of its id. The location might not exist. */
export const isPrivate = ({ id }: Pick<Region, 'id'>): boolean => PRIVATE.test(id);

/**
 * Returns the region with an id or alias. For a name in the form of a private location, it always returns a region,
 * even if the location does not exist.
 */
export const regionOf = (name: string): Region | undefined =>
  byName.get(name) ?? (PRIVATE.test(name) ? privateRegion(name.slice('private-'.length)) : undefined);

/** Returns the region of checks that name no region: Moscow, or the first served region if Moscow is not served. */
export const defaultRegionOf = (served: readonly Region[]): Region =>
  served.includes(MOSCOW) ? MOSCOW : (served[0] ?? MOSCOW);

/** Returns the regions in a check's parameters, without duplicates; the default region if there are none. */
export const regionsOf = (parameters: Record<string, unknown>, defaultRegion: Region): Region[] => {
  const regions = namedRegionsOf(parameters);
  return regions.length === 0 ? [defaultRegion] : regions;
};

/** Returns the regions in a check's parameters, without duplicates and unknown names; empty if there are none. */
export const namedRegionsOf = (parameters: Record<string, unknown>): Region[] => {
  const names = Array.isArray(parameters['regions']) ? (parameters['regions'] as unknown[]) : [];
  const named = names.flatMap((name) => regionOf(String(name)) ?? []);
  return [...new Map(named.map((region) => [region.id, region])).values()];
};

/** A remote runner that is not revoked. */
export interface RegisteredRunner {
  id: string;
  /** id of the runner's region */
  region: string;
}

/** Provides the live runners and the check types that they can run. */
export interface LiveRunners {
  /** the region of checks that name no region */
  readonly defaultRegion: Region;
  /**
   * Returns, by region id, the types that at least one live runner of the region can run. Regions without a runner are
   * absent.
   */
  abilities(): Promise<ReadonlyMap<string, readonly CheckTypeName[]>>;
  /** Returns the connected remote runners. Without this method, remote runners are not supported. */
  presences?(): Promise<readonly RunnerPresence[]>;
  /**
   * Returns, by region id, how many processes of the service run checks in the region. Without this method, every
   * region without remote runners has one process.
   */
  processes?(): Promise<ReadonlyMap<string, number>>;
  /**
   * Reads from the log which remote runners of an organization are not revoked. Without this method, there are none.
   */
  registered?(organizationId: string): Promise<readonly RegisteredRunner[]>;
}
