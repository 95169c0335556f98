import type { Collection, Long } from 'mongodb';
import { AWAITED, ignoreDuplicates } from '../../mongodb/failures.ts';
import { toLong } from '../../mongodb/open.ts';
import type { FailedItemCount, FailedItem, FailedItems } from '../port.ts';

interface FailedItemDocument extends FailedItem {
  /** names of the reactor and the item */
  _id: string;
  reactor: string;
  /** token of the lease under which the item was last written */
  token: Long | bigint;
}

const SHOWN = { _id: 0, reactor: 0, token: 0 } as const;

const idOf = (reactor: string, id: string): string => `${reactor} ${id}`;

/**
 * Stores each failed item of a reactor in a document.
 *
 * @param available runs a MongoDB operation, and converts its errors to those of the port
 */
export const mongoFailedItems = (
  documents: Collection<FailedItemDocument>,
  available: <T>(action: () => Promise<T>, options?: { awaited: boolean }) => Promise<T>,
): FailedItems => {
  let indexes: Promise<unknown> | null = null;

  /** Creates the index before the first item is stored. If that fails, the next call tries again. */
  const indexed = (): Promise<unknown> => {
    indexes ??= documents
      .createIndexes([{ key: { reactor: 1, id: 1 } }, { key: { reactor: 1, state: 1, since: 1 } }])
      .catch((error: unknown) => {
        indexes = null;
        throw error;
      });
    return indexes;
  };

  const find = (filter: object, limit: number): Promise<FailedItem[]> =>
    available(() =>
      documents.find<FailedItem>(filter, { projection: SHOWN, sort: { reactor: 1, id: 1 }, limit }).toArray(),
    );

  return {
    store: (reactor, token, items) =>
      available(async () => {
        if (items.length === 0) return;
        await indexed();
        const upserts = items.map((item) => ({
          updateOne: {
            filter: { _id: idOf(reactor, item.id), token: { $lte: toLong(token) } },
            update: { $set: { reactor, ...item, token: toLong(token) } },
            upsert: true,
          },
        }));
        // An item that was written under a later lease does not match, and the insert then fails as a duplicate.
        await ignoreDuplicates(() => documents.bulkWrite(upserts, { ordered: false }));
      }, AWAITED),
    remove: (reactor, token, ids) =>
      available(async () => {
        if (ids.length === 0) return;
        const of = ids.map((id) => idOf(reactor, id));
        await documents.deleteMany({ _id: { $in: of }, token: { $lte: toLong(token) } });
      }, AWAITED),
    page: (reactor, { after, limit, state }) =>
      find({ reactor, ...(after !== null && { id: { $gt: after } }), ...(state !== undefined && { state }) }, limit),
    find: (reactor, ids) => find({ _id: { $in: ids.map((id) => idOf(reactor, id)) } }, 0),
    counts: () =>
      available(async () => {
        const groups = await documents
          .aggregate<{ _id: { reactor: string; state: FailedItem['state'] }; items: number; since: number }>([
            {
              $group: { _id: { reactor: '$reactor', state: '$state' }, items: { $sum: 1 }, since: { $min: '$since' } },
            },
          ])
          .toArray();
        return countsOf(groups.map(({ _id, items, since }) => ({ ..._id, items, since })));
      }),
    retry: (reactor, id) =>
      available(async () => {
        const chosen = id === null ? { reactor } : { _id: idOf(reactor, id) };
        const again = { $set: { state: 'retrying' as const, tries: 0, again: 0 } };
        return (await documents.updateMany(chosen, again)).matchedCount;
      }, AWAITED),
    clear: (reactor) =>
      available(async () => {
        await documents.deleteMany({ reactor });
      }, AWAITED),
  };
};

const countsOf = (
  groups: readonly { reactor: string; state: FailedItem['state']; items: number; since: number }[],
): FailedItemCount[] =>
  [...new Set(groups.map(({ reactor }) => reactor))].sort().map((reactor) => {
    const of = (state: FailedItem['state']) =>
      groups.find((group) => group.reactor === reactor && group.state === state);
    const retrying = of('retrying');
    return {
      reactor,
      retrying: retrying?.items ?? 0,
      given_up: of('given_up')?.items ?? 0,
      retrying_since: retrying?.since ?? null,
    };
  });
