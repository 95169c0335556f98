import { derivedUuid, reactorContext } from '../../commands/engine/context.ts';
import { renewSubscription } from '../../commands/payments/payments.ts';
import { AlreadyPending } from '../../commands/payments/pending-orders.ts';
import { recordRenewalFailure } from '../../commands/payments/subscriptions.ts';
import { existing, organizationDecider } from '../../domain/organization/state.ts';
import { millisecondsOf } from '../../domain/time.ts';
import { payments } from '../../projections/payments/projection.ts';
import { defineReactor } from '../engine/define.ts';
import { retryItemAt, done } from '../engine/item-result.ts';
import { due } from '../engine/list-declarations.ts';

export const SUBSCRIPTION_RENEWALS = 'subscription-renewals';

/** Delay before a renewal is retried if another payment is pending, or if no payment method is configured. */
const A_WHILE_MS = 3_600_000;
/** Delay before a renewal is retried if the list does not show the present subscription yet. */
const A_MOMENT_MS = 1_000;

/**
 * Orders the renewal of a subscription some days before its end, if the organization has enabled automatic renewal. The
 * renewal is for the plan as it is configured at that time. If the plan is no longer available, the subscription is not
 * renewed, and the organization is notified.
 */
export const renewals = defineReactor({
  name: SUBSCRIPTION_RENEWALS,
  does: 'orders renewals of subscriptions to plans some days before their end',
  countsEarlier: true,
  list: due(payments, 'renewals', { longest: null }),
  act: async (item, { handle, plans, payments: provider, now, appended }) => {
    const { organization_id: organizationId, subscription_id, end_date } = item;
    const commandId = derivedUuid(`${SUBSCRIPTION_RENEWALS}/${subscription_id}/${end_date}`);
    const context = reactorContext(SUBSCRIPTION_RENEWALS, { organizationId, commandId, now, appended });
    const { autoRenew, subscription } = existing(await handle.load(organizationId, organizationDecider, context));
    const isOther = subscription !== null && (subscription.id !== subscription_id || subscription.endDate !== end_date);
    if (!autoRenew || isOther) return retryItemAt(millisecondsOf(now) + A_MOMENT_MS);
    const plan = plans.byId.get(item.plan.id);
    if (!plan || plan === plans.default || plan.price.amount === 0) {
      await recordRenewalFailure({ handle })({ subscription_id, end_date, plan_name: item.plan.name }, context);
      return done();
    }
    if (!provider) return retryItemAt(millisecondsOf(now) + A_WHILE_MS, 'No payment method is configured now.');
    try {
      await renewSubscription({ handle, provider })({ renewal: { subscription_id, end_date }, plan }, context);
      return done();
    } catch (error) {
      if (!(error instanceof AlreadyPending)) throw error;
      return retryItemAt(millisecondsOf(now) + A_WHILE_MS);
    }
  },
});
