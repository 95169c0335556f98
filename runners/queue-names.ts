import type { CheckTypeName } from '../domain/check/events.ts';
import { isPrivate, privateRegion, regionOf, REGIONS, type Region } from '../domain/check/regions.ts';
import { checkTypeOf } from '../domain/check/types/index.ts';
import { queueOf, type QueuedRun } from '../stores/work-queue/port.ts';

/** Length of a runner id, with which the id of a private location ends. */
const ID_LENGTH = 12;

/** The queue for runs of a type in a region: the region's queue, or one of the type's own (`CheckType.ownQueue`). */
export const queueForType = (
  { aliases: [region] }: Pick<Region, 'aliases'>,
  type: CheckTypeName,
): Pick<QueuedRun, 'region' | 'queue'> =>
  checkTypeOf(type).ownQueue ? { region, queue: `${region}-${type}` } : { region };

/** A queue with its name. */
export interface NamedQueue {
  name: string;
  region: Region;
  /** null: all types without a queue of their own */
  type: CheckTypeName | null;
}

/** The queues of a region, beginning with the shared one. @param types those that may have runs there */
export const queuesOfRegion = (region: Region, types: readonly CheckTypeName[]): NamedQueue[] => [
  { name: region.aliases[0], region, type: null },
  ...types
    .filter((type) => checkTypeOf(type).ownQueue)
    .map((type) => ({ name: queueOf(queueForType(region, type)), region, type })),
];

/** The private location whose id begins a name; all such ids have the same length. */
const locationIn = (name: string): Region[] => {
  const region = regionOf(name.slice(0, privateRegion('').id.length + ID_LENGTH));
  return region && isPrivate(region) ? [region] : [];
};

/** `EU, West` or `EU, West (synthetic)`; returns an unknown queue name unchanged. */
export const titleOfQueue = (name: string): string => {
  const shared = regionOf(name);
  if (shared) return shared.id;
  const region = [...REGIONS, ...locationIn(name)].find(({ aliases: [alias] }) => name.startsWith(`${alias}-`));
  return region ? `${region.id} (${name.slice(region.aliases[0].length + 1)})` : name;
};
