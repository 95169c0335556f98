import type { CommandContext } from '../../commands/engine/context.ts';
import type { CommandDependencies } from '../../commands/dependencies.ts';
import { purgeSubscriber } from '../../commands/pages/subscribers.ts';
import type { PurgeReason } from '../../domain/subscriber/events.ts';
import type { SubscriberDocument } from '../../projections/subscribers/documents.ts';

/** Subscribers read in one query. */
const PAGE = 500;

export type PlacedSubscriber = Pick<SubscriberDocument, 'id' | 'number'>;

export interface RemovalOptions {
  /** up to `limit` of them by id, after one (null: from the first on) */
  find: (after: string | null, limit: number) => Promise<readonly PlacedSubscriber[]>;
  reason: PurgeReason;
  contextOf: (subscriber: PlacedSubscriber) => CommandContext;
  /** concurrent removals */
  atOnce: number;
  /** ends it between two of them */
  signal: AbortSignal;
}

/**
 * Removes many subscribers in small steps, and deletes their addresses. Removed subscribers are no longer found, or are
 * skipped, so an interrupted call can simply be repeated.
 */
export const removeSubscribers = async (
  dependencies: Pick<CommandDependencies, 'handle' | 'keys'>,
  { find, reason, contextOf, atOnce, signal }: RemovalOptions,
): Promise<void> => {
  for (let after: string | null = null; ;) {
    const found: readonly PlacedSubscriber[] = await find(after, PAGE);
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
