import { instantOf } from '../../domain/time.ts';
import { derivedUuid, reactorContext } from '../../commands/engine/context.ts';
import type { CommandDependencies } from '../../commands/dependencies.ts';
import type { DeletedPageDocument } from '../../projections/subscribers/documents.ts';
import { changeWork } from '../engine/changes.ts';
import { done, type Ending } from '../engine/ending.ts';
import type { ChangeList, TodoProjection } from '../engine/lists.ts';
import type { Reactor } from '../engine/loop.ts';
import { removeSubscribers, type PlacedSubscriber } from './remove.ts';

export const DELETED_PAGES = 'deleted-pages';

/** How many are removed at once: all that happens meanwhile waits for the same disk. */
const AT_ONCE = 8;

interface Removing extends Pick<CommandDependencies, 'handle' | 'keys'> {
  /** at most `limit` subscribers of a page by id, after one (null: from the first on), ended or not */
  subscribersOf: (pageId: string, after: string | null, limit: number) => Promise<readonly PlacedSubscriber[]>;
  /** milliseconds since 1970 */
  clock: () => number;
}

export interface DeletedPagesDependencies extends Removing {
  list: ChangeList<DeletedPageDocument>;
  todo: TodoProjection;
}

/** Removes the subscribers of deleted pages, in small steps, and forgets their addresses. */
export const deletedPagesReactor = ({ list, todo, ...removing }: DeletedPagesDependencies): Reactor => ({
  name: DELETED_PAGES,
  countsEarlier: true,
  todo,
  work: changeWork(DELETED_PAGES, todo, list, removeAll(removing), { atOnce: 1 }),
});

/** Removes all subscribers of a page. */
export const removeAll =
  ({ subscribersOf, clock, ...removing }: Removing) =>
  async (
    { id: pageId, organization_id: organizationId }: DeletedPageDocument,
    { signal }: { signal: AbortSignal },
  ): Promise<Ending> => {
    await removeSubscribers(removing, {
      find: (after, limit) => subscribersOf(pageId, after, limit),
      reason: 'page_deleted',
      contextOf: ({ id, number }) => {
        const commandId = derivedUuid(`${DELETED_PAGES}/${id}/${number.toString()}`);
        return reactorContext(DELETED_PAGES, { organizationId, commandId, now: instantOf(clock()) });
      },
      atOnce: AT_ONCE,
      signal,
    });
    return done();
  };
