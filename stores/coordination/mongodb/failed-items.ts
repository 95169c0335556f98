import type { Collection, Long } from 'mongodb';
import { AWAITED, toleratingDuplicates } from '../../mongodb/failures.ts';
import { longOf } from '../../mongodb/open.ts';
import type { HeldCount, HeldItem, HeldItems } from '../port.ts';

interface HeldItemDocument extends HeldItem {
  /** reactor and item */
  _id: string;
  reactor: string;
  /** token of the lease under which it was last written */
  token: Long | bigint;
}

const SHOWN = { _id: 0, reactor: 0, token: 0 } as const;

const idOf = (reactor: string, id: string): string => `${reactor} ${id}`;

/**
 * Failed items of reactors, one document each.
 *
 * @param available runs a MongoDB operation
 */
export const mongoHeldItems = (
  documents: Collection<HeldItemDocument>,
  available: <T>(action: () => Promise<T>, options?: { awaited: boolean }) => Promise<T>,
): HeldItems => {
  let indexes: Promise<unknown> | null = null;

  /** Creates the index before the first item is stored; after a failure, before the next one. */
  const indexed = (): Promise<unknown> => {
    indexes ??= documents
      .createIndexes([{ key: { reactor: 1, id: 1 } }, { key: { reactor: 1, state: 1, since: 1 } }])
      .catch((error: unknown) => {
        indexes = null;
        throw error;
      });
    return indexes;
  };

  const find = (filter: object, limit: number): Promise<HeldItem[]> =>
    available(() =>
      documents.find<HeldItem>(filter, { projection: SHOWN, sort: { reactor: 1, id: 1 }, limit }).toArray(),
    );

  return {
    keep: (reactor, token, items) =>
      available(async () => {
        if (items.length === 0) return;
        await indexed();
        const upserts = items.map((item) => ({
          updateOne: {
            filter: { _id: idOf(reactor, item.id), token: { $lte: longOf(token) } },
            update: { $set: { reactor, ...item, token: longOf(token) } },
            upsert: true,
          },
        }));
        // An item that was written under a later lease does not match, and the insert then fails as a duplicate.
        await toleratingDuplicates(() => documents.bulkWrite(upserts, { ordered: false }));
      }, AWAITED),
    release: (reactor, token, ids) =>
      available(async () => {
        if (ids.length === 0) return;
        const of = ids.map((id) => idOf(reactor, id));
        await documents.deleteMany({ _id: { $in: of }, token: { $lte: longOf(token) } });
      }, AWAITED),
    page: (reactor, { after, limit, state }) =>
      find({ reactor, ...(after !== null && { id: { $gt: after } }), ...(state !== undefined && { state }) }, limit),
    find: (reactor, ids) => find({ _id: { $in: ids.map((id) => idOf(reactor, id)) } }, 0),
    counts: () =>
      available(async () => {
        const groups = await documents
          .aggregate<{ _id: { reactor: string; state: HeldItem['state'] }; items: number; since: number }>([
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
  groups: readonly { reactor: string; state: HeldItem['state']; items: number; since: number }[],
): HeldCount[] =>
  [...new Set(groups.map(({ reactor }) => reactor))].sort().map((reactor) => {
    const of = (state: HeldItem['state']) => groups.find((group) => group.reactor === reactor && group.state === state);
    const retrying = of('retrying');
    return {
      reactor,
      retrying: retrying?.items ?? 0,
      given_up: of('given_up')?.items ?? 0,
      retrying_since: retrying?.since ?? null,
    };
  });
