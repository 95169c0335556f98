import type { RunnerPresence } from '../runner/presence.ts';
import type { CheckTypeName } from './events.ts';

/** A region from which checks run (docs/reference/regions.md#public-regions). */
export interface Region {
  /** as used in `parameters.regions` and in results */
  id: string;
  display_name: string;
  /** other names that are accepted instead of the id; the first one is used for streams and queues */
  aliases: readonly [string, ...string[]];
  /** ISO 3166-1 alpha-2 */
  country: string;
}

/** The default region, if it is served (docs/reference/regions.md#default-region). */
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

/** Ids of private locations. They contain the id of the first runner of the location (domain/runner/). */
const PRIVATE = /^private-[0-9a-z]{12}$/;

/** The region of a private location. It is displayed by the name of its runner; `ZZ`: unknown country. */
export const privateRegion = (runnerId: string): Region => {
  const id = `private-${runnerId}`;
  return { id, display_name: id, aliases: [id], country: 'ZZ' };
};

/** Whether a region is a private location of an organization. Only the read models know whether it exists. */
export const isPrivate = ({ id }: Pick<Region, 'id'>): boolean => PRIVATE.test(id);

/** The region with an id or alias. Every name with the form of a private location has one. */
export const regionOf = (name: string): Region | undefined =>
  byName.get(name) ?? (PRIVATE.test(name) ? privateRegion(name.slice('private-'.length)) : undefined);

/** The region of checks without regions: Moscow, or the first served region if Moscow is not served. */
export const defaultRegionOf = (served: readonly Region[]): Region =>
  served.includes(MOSCOW) ? MOSCOW : (served[0] ?? MOSCOW);

/** The regions in a check's parameters, each once; the default region if there are none. */
export const regionsOf = (parameters: Record<string, unknown>, defaultRegion: Region): Region[] => {
  const regions = namedRegionsOf(parameters);
  return regions.length === 0 ? [defaultRegion] : regions;
};

/** The regions in parameters, each once. */
export const namedRegionsOf = (parameters: Record<string, unknown>): Region[] => {
  const names = Array.isArray(parameters['regions']) ? (parameters['regions'] as unknown[]) : [];
  const named = names.flatMap((name) => regionOf(String(name)) ?? []);
  return [...new Map(named.map((region) => [region.id, region])).values()];
};

/** A remote runner that is not revoked. */
export interface RegisteredRunner {
  id: string;
  /** id of its region */
  region: string;
}

/** The live runners and their abilities. */
export interface LiveRunners {
  /** the region of checks without regions */
  readonly defaultRegion: Region;
  /** by region id, the types that at least one live runner there can run; regions without a runner are absent */
  abilities(): Promise<ReadonlyMap<string, readonly CheckTypeName[]>>;
  /** the connected remote runners; absent if remote runners are not supported */
  presences?(): Promise<readonly RunnerPresence[]>;
  /** by region id, how many processes of the service run checks there; absent: one in each region without remote runners */
  processes?(): Promise<ReadonlyMap<string, number>>;
  /** the remote runners of an organization that are not revoked, according to the log; absent: there are none */
  registered?(organizationId: string): Promise<readonly RegisteredRunner[]>;
}
