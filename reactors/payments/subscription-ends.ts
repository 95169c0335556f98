import { derivedUuid, reactorContext } from '../../commands/engine/context.ts';
import { endPaidPlan } from '../../commands/payments/subscriptions.ts';
import { payments } from '../../projections/payments/projection.ts';
import { defineReactor } from '../engine/define.ts';
import { done } from '../engine/item-result.ts';
import { due } from '../engine/list-declarations.ts';

export const SUBSCRIPTION_ENDS = 'subscription-ends';

/** Ends expired subscriptions. Afterwards, their organizations have the default plan. */
export const subscriptionEnds = defineReactor({
  name: SUBSCRIPTION_ENDS,
  does: 'ends expired subscriptions to plans',
  countsEarlier: true,
  // No due time is too late, because a subscription can be paid for years in advance.
  list: due(payments, 'subscription_ends', { longest: null }),
  act: async ({ organization_id: organizationId, subscription_id, end_date }, { handle, now, appended }) => {
    const commandId = derivedUuid(`${SUBSCRIPTION_ENDS}/${subscription_id}/${end_date}`);
    const context = reactorContext(SUBSCRIPTION_ENDS, { organizationId, commandId, now, appended });
    await endPaidPlan({ handle })(context);
    return done();
  },
});
