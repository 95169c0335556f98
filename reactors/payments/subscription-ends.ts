import { derivedUuid, reactorContext } from '../../commands/engine/context.ts';
import type { CommandDependencies } from '../../commands/dependencies.ts';
import type { Noted } from '../../commands/engine/appended.ts';
import { endPaidPlan } from '../../commands/payments/subscriptions.ts';
import type { SubscriptionTaskDocument } from '../../projections/payments/documents.ts';
import { dueWork, type DueContext } from '../engine/due.ts';
import { done, type Ending } from '../engine/ending.ts';
import type { DueList, TodoProjection } from '../engine/lists.ts';
import type { Reactor } from '../engine/loop.ts';

export const SUBSCRIPTION_ENDS = 'subscription-ends';

export interface SubscriptionEndsDependencies extends Pick<CommandDependencies, 'handle'> {
  todo: TodoProjection;
  list: (context: { appended: Noted }) => DueList<SubscriptionTaskDocument>;
}

/** Ends subscriptions whose time is over: the default plan holds for their organizations again. */
export const subscriptionEndsReactor = ({ todo, list, handle }: SubscriptionEndsDependencies): Reactor => ({
  name: SUBSCRIPTION_ENDS,
  countsEarlier: true,
  todo,
  // They may be paid for years.
  work: dueWork(SUBSCRIPTION_ENDS, todo, list, end({ handle }), { longest: null }),
});

const end =
  ({ handle }: Pick<CommandDependencies, 'handle'>) =>
  async (item: SubscriptionTaskDocument, { now, appended }: DueContext): Promise<Ending> => {
    const { organization_id: organizationId, subscription_id, end_date } = item;
    const commandId = derivedUuid(`${SUBSCRIPTION_ENDS}/${subscription_id}/${end_date}`);
    const context = reactorContext(SUBSCRIPTION_ENDS, { organizationId, commandId, now, appended });
    await endPaidPlan({ handle })(context);
    return done();
  };
