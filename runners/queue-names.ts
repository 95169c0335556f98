import type { CheckTypeName } from '../domain/check/events.ts';
import { isPrivate, privateRegion, regionOf, REGIONS, type Region } from '../domain/check/regions.ts';
import { checkTypeOf } from '../domain/check/types/index.ts';
import { queueOf, type QueuedRun } from '../stores/work-queue/port.ts';

/** Length of a runner's id. The id of a private location ends with such an id. */
const ID_LENGTH = 12;

/**
 * Returns the queue for runs of a type in a region. It is the queue that all types of the region share, or a separate
 * queue for the type (`CheckType.ownQueue`).
 */
export const queueForType = (
  { aliases: [region] }: Pick<Region, 'aliases'>,
  type: CheckTypeName,
): Pick<QueuedRun, 'region' | 'queue'> =>
  checkTypeOf(type).ownQueue ? { region, queue: `${region}-${type}` } : { region };

/** A queue of a region. */
export interface NamedQueue {
  name: string;
  region: Region;
  /** the only type in the queue; null: all types without a separate queue */
  type: CheckTypeName | null;
}

/**
 * Returns the queues of a region, beginning with the shared one.
 *
 * @param types the types that runners in the region may run
 */
export const queuesOfRegion = (region: Region, types: readonly CheckTypeName[]): NamedQueue[] => [
  { name: region.aliases[0], region, type: null },
  ...types
    .filter((type) => checkTypeOf(type).ownQueue)
    .map((type) => ({ name: queueOf(queueForType(region, type)), region, type })),
];

/**
 * Returns the private location with whose id a name begins, as a list with at most one element. All ids of private
 * locations have the same length.
 */
const locationIn = (name: string): Region[] => {
  const region = regionOf(name.slice(0, privateRegion('').id.length + ID_LENGTH));
  return region && isPrivate(region) ? [region] : [];
};

/** Returns the title of a queue: `EU, West` or `EU, West (synthetic)`. Returns an unknown queue name unchanged. */
export const titleOfQueue = (name: string): string => {
  const shared = regionOf(name);
  if (shared) return shared.id;
  const region = [...REGIONS, ...locationIn(name)].find(({ aliases: [alias] }) => name.startsWith(`${alias}-`));
  return region ? `${region.id} (${name.slice(region.aliases[0].length + 1)})` : name;
};
