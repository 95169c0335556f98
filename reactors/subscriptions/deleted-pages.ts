import { instantOf, type Instant } from '../../domain/time.ts';
import { derivedUuid, reactorContext } from '../../commands/context.ts';
import type { CommandDependencies } from '../../commands/dependencies.ts';
import { purgeSubscriber } from '../../commands/subscribers.ts';
import type { DeletedPageDocument, SubscriberDocument } from '../../projections/subscribers/documents.ts';
import { changeWork } from '../engine/changes.ts';
import { done, type Ending } from '../engine/ending.ts';
import type { ChangeList, TodoProjection } from '../engine/lists.ts';
import type { Reactor } from '../engine/loop.ts';

export const DELETED_PAGES = 'deleted-pages';

/** How many subscribers are read at once. */
const PAGE = 500;
/** How many are removed at once: all that happens meanwhile waits for the same disk. */
const AT_ONCE = 8;

export type PlacedSubscriber = Pick<SubscriberDocument, 'id' | 'number'>;

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

/** Removes all subscribers of a page; those that are removed already are no longer found, or left alone. */
export const removeAll =
  ({ subscribersOf, clock, ...removing }: Removing) =>
  async (
    { id: pageId, organization_id: organizationId }: DeletedPageDocument,
    { signal }: { signal: AbortSignal },
  ): Promise<Ending> => {
    const remove = async ({ id, number }: PlacedSubscriber, now: Instant): Promise<void> => {
      const commandId = derivedUuid(`${DELETED_PAGES}/${id}/${number.toString()}`);
      const context = reactorContext(DELETED_PAGES, { organizationId, commandId, now });
      await purgeSubscriber(removing)(id, number, 'page_deleted', context);
    };
    for (let after: string | null = null; ;) {
      const found: readonly PlacedSubscriber[] = await subscribersOf(pageId, after, PAGE);
      for (let first = 0; first < found.length; first += AT_ONCE) {
        signal.throwIfAborted();
        const now = instantOf(clock());
        await Promise.all(found.slice(first, first + AT_ONCE).map((one) => remove(one, now)));
      }
      const last = found.at(-1);
      if (!last || found.length < PAGE) return done();
      after = last.id;
    }
  };
