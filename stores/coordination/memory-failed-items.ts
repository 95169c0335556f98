import type { FailedItemCount, FailedItem, FailedItems } from './port.ts';

interface StoredItem {
  item: FailedItem;
  token: bigint;
}

/** Failed items of reactors, in memory, for tests. */
export const createMemoryFailedItems = (): FailedItems => {
  const reactors = new Map<string, Map<string, StoredItem>>();
  const of = (reactor: string): Map<string, StoredItem> => {
    const stored = reactors.get(reactor) ?? new Map<string, StoredItem>();
    reactors.set(reactor, stored);
    return stored;
  };
  const inOrder = (reactor: string): FailedItem[] =>
    [...of(reactor).values()]
      .map(({ item }) => ({ ...item }))
      .sort((a, b) => Buffer.compare(Buffer.from(a.id), Buffer.from(b.id)));

  return {
    async store(reactor, token, items) {
      for (const item of items) {
        const known = of(reactor).get(item.id);
        if (!known || known.token <= token) of(reactor).set(item.id, { item: { ...item }, token });
      }
    },

    async remove(reactor, token, ids) {
      for (const id of ids) {
        const known = of(reactor).get(id);
        if (known && known.token <= token) of(reactor).delete(id);
      }
    },

    async page(reactor, { after, limit, state }) {
      return inOrder(reactor)
        .filter((item) => state === undefined || item.state === state)
        .filter(({ id }) => after === null || Buffer.compare(Buffer.from(id), Buffer.from(after)) > 0)
        .slice(0, limit);
    },

    async find(reactor, ids) {
      return inOrder(reactor).filter(({ id }) => ids.includes(id));
    },

    async counts() {
      return [...reactors.keys()]
        .sort()
        .map((reactor) => countOf(reactor, inOrder(reactor)))
        .filter(({ retrying, given_up }) => retrying + given_up > 0);
    },

    async retry(reactor, id) {
      const chosen = [...of(reactor).values()].filter(({ item }) => id === null || item.id === id);
      for (const { item } of chosen) Object.assign(item, { state: 'retrying', tries: 0, again: 0 });
      return chosen.length;
    },

    async clear(reactor) {
      reactors.delete(reactor);
    },
  };
};

const countOf = (reactor: string, items: readonly FailedItem[]): FailedItemCount => {
  const retrying = items.filter(({ state }) => state === 'retrying');
  return {
    reactor,
    retrying: retrying.length,
    given_up: items.length - retrying.length,
    retrying_since: retrying.reduce<number | null>((least, { since }) => Math.min(least ?? since, since), null),
  };
};
