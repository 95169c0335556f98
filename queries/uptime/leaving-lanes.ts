import type { Instant } from '../../domain/time.ts';
import type { LaneDocument } from '../../projections/components/documents.ts';
import type { CollectionReader } from '../../projections/readers.ts';
import { FIRST_READ_SIZE, lastSetBefore, createLeavingLanesByComponent } from './lanes-between.ts';

type Lanes = Pick<CollectionReader<LaneDocument>, 'find' | 'pick' | 'getMany' | 'count'>;

/** Maximum number of index entries that are scanned. If there are more, one query per component is used. */
const MOST_ENTRIES = 20_000;

/**
 * Creates a function that finds the same lanes as {@link createLeavingLanesByComponent}, but with two queries for all
 * components. The first query reads only the index, to find the newest lanes of each component.
 */
export const createLeavingLanesInBatch =
  (lanes: Lanes) =>
  async (ids: readonly string[], from: Instant): Promise<ReadonlyMap<string, readonly LaneDocument[]>> => {
    const each = createLeavingLanesByComponent(lanes);
    const where = { component_id: { $in: ids }, leaves: { $lt: from } };
    if ((await lanes.count(where)) > MOST_ENTRIES) return each(ids, from);
    const entries = new Map<string, Entry[]>(ids.map((id) => [id, []]));
    for (const { id, component_id, leaves } of await lanes.pick(['id', 'component_id', 'leaves'], { where }))
      entries.get(component_id)?.push({ id, leaves: leaves ?? '' });
    const newest = [...entries.values()].flatMap((own) => own.sort(newestFirst).slice(0, FIRST_READ_SIZE));
    const documents = new Map((await lanes.getMany(newest.map(({ id }) => id))).map((lane) => [lane.id, lane]));
    const found = new Map<string, readonly LaneDocument[]>();
    const unsure: string[] = [];
    for (const [component, own] of entries) {
      const looked = own.slice(0, FIRST_READ_SIZE).flatMap(({ id }) => documents.get(id) ?? []);
      const lasting = lastingTo(looked, from);
      if (lasting.length === own.length || lasting.length < looked.length) found.set(component, lasting);
      else unsure.push(component);
    }
    for (const [component, lasting] of await each(unsure, from)) found.set(component, lasting);
    return found;
  };

interface Entry {
  id: string;
  leaves: Instant;
}

const newestFirst = (a: Entry, b: Entry): number => (a.leaves < b.leaves ? 1 : a.leaves > b.leaves ? -1 : 0);

/**
 * Returns the newest settled lanes, back to one that set a status after all older lanes had settled.
 *
 * @param settled lanes that settled before `from`, newest first
 */
const lastingTo = (settled: readonly LaneDocument[], from: Instant): readonly LaneDocument[] => {
  let lastSet: Instant = '';
  const end = settled.findIndex((lane) => {
    if (lane.settled < lastSet) return true;
    const set = lastSetBefore(lane, from);
    if (set > lastSet) lastSet = set;
    return false;
  });
  return end === -1 ? settled : settled.slice(0, end);
};
