import { isDueUpTo, type DueItem, type DueList } from '../../../reactors/engine/lists.ts';
import { instantOf } from '../../../domain/time.ts';
import type { createReactorHarness } from '../reactor-harness.ts';

/** Creates an in-memory list that finds items by binary search, so it is fast even if it is long. */
export const createList = (office: Pick<ReturnType<typeof createReactorHarness>, 'now' | 'position' | 'move'>) => {
  const items = new Map<string, DueItem>();
  let byPosition: DueItem[] | null = null;
  let byPlace: DueItem[] | null = null;

  const changes = (): DueItem[] =>
    (byPosition ??= [...items.values()].sort((a, b) => a.changed_position - b.changed_position));
  const places = (): DueItem[] => (byPlace ??= [...items.values()].sort((a, b) => (isDueUpTo(a, b) ? -1 : 1)));
  /** Returns the index of the first item for which `isBefore` is false, by binary search. */
  const from = (sorted: readonly DueItem[], isBefore: (item: DueItem) => boolean): number => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const item = sorted[middle];
      if (item && isBefore(item)) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  const list: DueList<DueItem> & { countAfter: (position: number) => Promise<number> } = {
    due: async (after, upTo, limit) => {
      const begin = from(places(), (item) => isDueUpTo(item, after));
      const end = from(places(), ({ due_at }) => due_at <= upTo);
      return places().slice(begin, Math.min(begin + limit, Math.max(begin, end)));
    },
    next: async (after) => places()[from(places(), (item) => isDueUpTo(item, after))]?.due_at ?? null,
    countDue: async (after, upTo) =>
      Math.max(0, from(places(), ({ due_at }) => due_at <= upTo) - from(places(), (item) => isDueUpTo(item, after))),
    changedBetween: async (after, upTo, limit) => {
      const begin = from(changes(), ({ changed_position: position }) => position <= after);
      return changes()
        .slice(begin, begin + limit)
        .filter(({ changed_position: position }) => position <= upTo);
    },
    countAfter: async (position) => changes().filter((item) => item.changed_position > position).length,
    find: async (ids) => ids.flatMap((id) => items.get(id) ?? []),
  };

  return {
    list,
    items,
    /** Adds an item that is due in `seconds`, or gives the item on the list this due time. */
    put: (id: string, seconds = 0, changed_position = (office.position ?? 0) + 1): void => {
      items.set(id, { id, due_at: instantOf(office.now + seconds * 1_000), changed_position });
      office.position = Math.max(office.position ?? 0, changed_position);
      [byPosition, byPlace] = [null, null];
    },
    take: (id: string): void => {
      items.delete(id);
      [byPosition, byPlace] = [null, null];
    },
  };
};
