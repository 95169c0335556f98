import type { CommandContext } from '../../commands/engine/context.ts';
import type { CommandDependencies } from '../../commands/dependencies.ts';
import { purgeSubscriber } from '../../commands/pages/subscribers.ts';
import type { PurgeReason } from '../../domain/subscriber/events.ts';
import type { SubscriberDocument } from '../../projections/subscribers/documents.ts';

/** Number of subscribers read in one query. */
const PAGE = 500;

export type NumberedSubscriber = Pick<SubscriberDocument, 'id' | 'number'>;

export interface RemovalOptions {
  /** Returns up to `limit` subscribers to be removed with ids greater than `after` (null: all ids), ordered by id. */
  find: (after: string | null, limit: number) => Promise<readonly NumberedSubscriber[]>;
  reason: PurgeReason;
  contextOf: (subscriber: NumberedSubscriber) => CommandContext;
  /** number of concurrent removals */
  atOnce: number;
  /** Aborts the operation. A removal that is under way is completed. */
  signal: AbortSignal;
}

/**
 * Removes many subscribers in small steps, and deletes their addresses. An interrupted call can be repeated, because
 * subscribers that were already removed are not found or are skipped.
 */
export const removeSubscribers = async (
  dependencies: Pick<CommandDependencies, 'handle' | 'keys'>,
  { find, reason, contextOf, atOnce, signal }: RemovalOptions,
): Promise<void> => {
  for (let after: string | null = null; ;) {
    const found: readonly NumberedSubscriber[] = await find(after, PAGE);
    for (let first = 0; first < found.length; first += atOnce) {
      signal.throwIfAborted();
      const some = found.slice(first, first + atOnce);
      await Promise.all(some.map((one) => purgeSubscriber(dependencies)(one.id, one.number, reason, contextOf(one))));
    }
    const last = found.at(-1);
    if (!last || found.length < PAGE) return;
    after = last.id;
  }
};
