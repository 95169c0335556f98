import type { CheckTypeName } from '../domain/check/events.ts';
import { isPrivate, privateRegion, regionOf, REGIONS, type Region } from '../domain/check/regions.ts';
import { checkTypeOf } from '../domain/check/types/index.ts';
import { queueOf, type QueuedRun } from '../stores/work-queue/port.ts';

/** Characters of the id of a runner, with which the id of a private location ends. */
const ID_LENGTH = 12;

/** Where a run of a type waits in a region: in the queue of that, or in one of the type's own (`CheckType.ownQueue`). */
export const placeInQueues = (
  { aliases: [region] }: Pick<Region, 'aliases'>,
  type: CheckTypeName,
): Pick<QueuedRun, 'region' | 'queue'> =>
  checkTypeOf(type).ownQueue ? { region, queue: `${region}-${type}` } : { region };

/** A queue by its name. */
export interface NamedQueue {
  name: string;
  region: Region;
  /** null: of all types without a queue of their own */
  type: CheckTypeName | null;
}

/** The queues of a region, that of most types first. @param types those that may have runs there */
export const queuesOfRegion = (region: Region, types: readonly CheckTypeName[]): NamedQueue[] => [
  { name: region.aliases[0], region, type: null },
  ...types
    .filter((type) => checkTypeOf(type).ownQueue)
    .map((type) => ({ name: queueOf(placeInQueues(region, type)), region, type })),
];

/** The private location with whose id a name begins, which is as long as every other. */
const locationIn = (name: string): Region[] => {
  const region = regionOf(name.slice(0, privateRegion('').id.length + ID_LENGTH));
  return region && isPrivate(region) ? [region] : [];
};

/** `EU, West` or `EU, West (synthetic)`; a name that no queue here has stays as it is. */
export const titleOfQueue = (name: string): string => {
  const shared = regionOf(name);
  if (shared) return shared.id;
  const region = [...REGIONS, ...locationIn(name)].find(({ aliases: [alias] }) => name.startsWith(`${alias}-`));
  return region ? `${region.id} (${name.slice(region.aliases[0].length + 1)})` : name;
};
