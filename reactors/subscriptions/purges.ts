import { derivedUuid } from '../../domain/identity.ts';
import { reactorContext } from '../../commands/engine/context.ts';
import type { CommandDependencies } from '../../commands/dependencies.ts';
import { purgeSubscriber } from '../../commands/pages/subscribers.ts';
import { subscriptionTasks, type PurgeDocument } from '../../projections/subscription-tasks/projection.ts';
import { defineReactor } from '../engine/define.ts';
import type { DueContext } from '../engine/due.ts';
import { done, type ItemResult } from '../engine/item-result.ts';
import { due } from '../engine/list-declarations.ts';

const SUBSCRIPTION_PURGES = 'subscription-purges';

const AT_ONCE = 16;
/**
 * Maximum time after which a removal can be due, in milliseconds. Slightly longer than a quarantine, which lasts 90
 * days.
 */
const LONGEST_MS = 91 * 24 * 3_600_000;

/**
 * Removes subscriptions that were not confirmed within seven days, and those that were in quarantine for 90 days.
 * Deletes their addresses. Subscriptions from before the reactor was first active are included.
 */
export const purges = defineReactor({
  name: SUBSCRIPTION_PURGES,
  does: 'removes subscriptions that were not confirmed in time, or were unreachable for 90 days',
  countsEarlier: true,
  list: due(subscriptionTasks, 'purges', { atOnce: AT_ONCE, longest: LONGEST_MS }),
  act: (item, { handle, keys, now, appended }) => purge({ handle, keys })(item, { now, appended }),
});

/** Removes a subscription, unless it was confirmed or released from quarantine meanwhile. */
export const purge =
  (dependencies: Pick<CommandDependencies, 'handle' | 'keys'>) =>
  async (item: PurgeDocument, { now, appended }: Pick<DueContext, 'now' | 'appended'>): Promise<ItemResult> => {
    const { id, number, reason, organization_id: organizationId, changed_position } = item;
    const commandId = derivedUuid(`${SUBSCRIPTION_PURGES}/${id}/${changed_position}`);
    const context = reactorContext(SUBSCRIPTION_PURGES, { organizationId, commandId, now, appended });
    await purgeSubscriber(dependencies)(id, number, reason, context);
    return done();
  };
