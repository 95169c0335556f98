import type { RunnerPresence } from '../runner/presence.ts';
import type { CheckTypeName } from './events.ts';

/** A place from which checks run (spec.md: Region). */
export interface Region {
  /** as used in `parameters.regions` and in results */
  id: string;
  display_name: string;
  /** other names that are accepted wherever the id is; the first one names streams and queues */
  aliases: readonly [string, ...string[]];
  /** ISO 3166-1 alpha-2 */
  country: string;
}

/** The region of checks that name none, if it is served (decisions.md: Checks). */
const MOSCOW: Region = {
  id: 'RU, Moscow',
  display_name: 'Moscow, Russia',
  aliases: ['ru-central1', 'ru-msk1'],
  country: 'RU',
};

/** All regions; configuration says which of them are served. */
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

/** Ids of private locations: that of the runner with which it began (domain/runner/). */
const PRIVATE = /^private-[0-9a-z]{12}$/;

/** The region of a private location, whose name is what its runner is called; `ZZ`: nobody knows the country. */
export const privateRegion = (runnerId: string): Region => {
  const id = `private-${runnerId}`;
  return { id, display_name: id, aliases: [id], country: 'ZZ' };
};

/** Whether a region belongs to one organization. Whether it exists, only the read models know. */
export const isPrivate = ({ id }: Pick<Region, 'id'>): boolean => PRIVATE.test(id);

/** The region of an id or alias; every name of the form of a private location has one. */
export const regionOf = (name: string): Region | undefined =>
  byName.get(name) ?? (PRIVATE.test(name) ? privateRegion(name.slice('private-'.length)) : undefined);

/** The region of checks that name none: Moscow, or the first one served if Moscow is not. */
export const defaultRegionOf = (served: readonly Region[]): Region =>
  served.includes(MOSCOW) ? MOSCOW : (served[0] ?? MOSCOW);

/** The regions that a check's parameters name, each once; the default one if they name none. */
export const regionsOf = (parameters: Record<string, unknown>, defaultRegion: Region): Region[] => {
  const regions = namedRegionsOf(parameters);
  return regions.length === 0 ? [defaultRegion] : regions;
};

/** The regions that parameters name, each once. */
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

/** What the live runners can do. */
export interface LiveRunners {
  /** where checks run that name no region */
  readonly defaultRegion: Region;
  /** by region id, the types that at least one live runner there can run; a region without one is absent */
  abilities(): Promise<ReadonlyMap<string, readonly CheckTypeName[]>>;
  /** the remote runners that are connected; absent: none can be */
  presences?(): Promise<readonly RunnerPresence[]>;
  /** by region id, how many processes of the service run checks there; absent: one where no remote runner does */
  processes?(): Promise<ReadonlyMap<string, number>>;
  /** the remote runners of an organization that are not revoked, as the log has them by now; absent: there are none */
  registered?(organizationId: string): Promise<readonly RegisteredRunner[]>;
}
