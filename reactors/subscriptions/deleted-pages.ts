import { instantOf } from '../../domain/time.ts';
import { derivedUuid, reactorContext } from '../../commands/engine/context.ts';
import type { CommandDependencies } from '../../commands/dependencies.ts';
import type { DeletedPageDocument } from '../../projections/subscribers/documents.ts';
import { subscribers } from '../../projections/subscribers/projection.ts';
import { defineReactor } from '../engine/define.ts';
import { done, type ItemResult } from '../engine/item-result.ts';
import { changed } from '../engine/list-declarations.ts';
import { removeSubscribers, type NumberedSubscriber } from './remove.ts';

const DELETED_PAGES = 'deleted-pages';

/** Number of concurrent removals. Few, because all other writes wait for the same disk. */
const AT_ONCE = 8;

interface Removing extends Pick<CommandDependencies, 'handle' | 'keys'> {
  /**
   * Returns up to `limit` subscribers of a page with ids greater than `after` (null: all ids), ordered by id. Includes
   * subscriptions that have ended.
   */
  subscribersOf: (pageId: string, after: string | null, limit: number) => Promise<readonly NumberedSubscriber[]>;
  /** Returns milliseconds since 1970. */
  clock: () => number;
}

/** Removes the subscribers of deleted pages in small steps, and deletes their addresses. */
export const deletedPages = defineReactor({
  name: DELETED_PAGES,
  does: 'removes the subscribers of deleted pages',
  countsEarlier: true,
  list: changed(subscribers, 'deleted_pages', { atOnce: 1 }),
  act: (item, { handle, keys, clock, read, signal }) => {
    const subscribersOf: Removing['subscribersOf'] = (page_id, after, limit) =>
      read(subscribers).subscribers.find({
        where: { page_id, ...(after !== null && { id: { $gt: after } }) },
        sort: { id: 1 },
        limit,
      });
    return removeAll({ handle, keys, clock, subscribersOf })(item, { signal });
  },
});

/** Returns a function that removes all subscribers of a page. */
export const removeAll =
  ({ subscribersOf, clock, ...removing }: Removing) =>
  async (
    { id: pageId, organization_id: organizationId }: DeletedPageDocument,
    { signal }: { signal: AbortSignal },
  ): Promise<ItemResult> => {
    await removeSubscribers(removing, {
      find: (after, limit) => subscribersOf(pageId, after, limit),
      reason: 'page_deleted',
      contextOf: ({ id, number }) => {
        const commandId = derivedUuid(`${DELETED_PAGES}/${id}/${number}`);
        return reactorContext(DELETED_PAGES, { organizationId, commandId, now: instantOf(clock()) });
      },
      atOnce: AT_ONCE,
      signal,
    });
    return done();
  };
