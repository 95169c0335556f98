import { Conflict, IllegalState, Invalid } from '../../domain/errors.ts';
import { derivedId } from '../../domain/identity.ts';
import { existing as existingOrganization, organizationDecider } from '../../domain/organization/state.ts';
import type { Plan } from '../../domain/organization/subscription-events.ts';
import * as decide from '../../domain/payment/decide.ts';
import type { Customer, PaymentFields, Renewal } from '../../domain/payment/events.ts';
import { existing, paymentDecider } from '../../domain/payment/state.ts';
import { MAX_PAID_DAYS, paymentTermsOf } from '../../domain/payment/terms.ts';
import { DAY_MS, instantOf, millisecondsOf } from '../../domain/time.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { AlreadyPending, orderAsPending } from './pending-orders.ts';

type Ordering = Pick<CommandDependencies, 'handle' | 'plans' | 'payments'>;

/**
 * Orders a plan for the context's organization.
 *
 * @param period_months number of months to pay for; null for one period of the plan
 * @returns the payment's id
 * @throws Invalid if the plan does not exist, or cannot be bought for this period
 * @throws IllegalState if this service accepts no payments, or the organization is already paid for years ahead
 * @throws Conflict if a payment for the plan is pending
 */
export const orderPayment =
  ({ handle, plans, payments: provider }: Ordering) =>
  async (
    { plan_id, period_months }: { plan_id: string; period_months: number | null },
    context: CommandContext,
  ): Promise<string> => {
    const { organizationId, now } = context;
    const plan = plans.byId.get(plan_id);
    if (!plan) throw Invalid.field('plan_id', 'There is no such plan.');
    if (plan === plans.default) {
      throw Invalid.field('plan_id', `The plan "${plan.name}" applies without a payment, so it can't be bought.`);
    }
    const terms = paymentTermsOf(plan, period_months);
    if (!provider) throw new IllegalState('This service accepts no payments: its operator has not configured a payee.');
    const organization = existingOrganization(await handle.load(organizationId, organizationDecider, context));
    const until = organization.subscription?.endDate ?? now;
    if (until > instantOf(millisecondsOf(now) + MAX_PAID_DAYS * DAY_MS)) {
      throw new IllegalState(`The organization is paid for until ${until.slice(0, 10)}. Order again later.`);
    }
    const customer: Customer = { name: organization.name, invoice_details: organization.invoiceDetails };
    const payment: PaymentFields = { ...terms, method: provider.method };
    try {
      return await orderAsPending(
        handle,
        { organizationId, planId: plan.id },
        async (claimFor) => {
          const id = context.newId();
          const state = await handle.load(id, paymentDecider, context);
          const claim = state.status === 'absent' ? await claimFor(id) : 0;
          const order: decide.PaymentOrder = { id, organizationId, payment, customer, renewal: null, claim };
          await handle(id, paymentDecider, (before) => decide.orderPayment(before, order, now), context);
          return id;
        },
        context,
      );
    } catch (error) {
      if (!(error instanceof AlreadyPending)) throw error;
      throw new Conflict(`The payment ${error.paymentId} for this plan is pending. Pay or cancel it first.`, {
        json: { plan_id: ['A payment for this plan is pending.'] },
      });
    }
  };

/** The subscription to renew, with its end, and the current version of the plan. */
export interface RenewalOrder {
  renewal: Renewal;
  plan: Plan;
}

/**
 * Orders the renewal of a subscription. Repeated calls for the same end date order nothing.
 *
 * @throws AlreadyPending if another payment for the plan is pending, because that payment extends the subscription as
 * well
 * @throws Invalid if the plan is now free
 */
export const renewSubscription =
  ({ handle, provider }: Pick<Ordering, 'handle'> & { provider: NonNullable<Ordering['payments']> }) =>
  async ({ renewal, plan }: RenewalOrder, context: CommandContext): Promise<void> => {
    const { organizationId, now } = context;
    const payment: PaymentFields = { ...paymentTermsOf(plan, null), method: provider.method };
    const { name, invoiceDetails } = existingOrganization(
      await handle.load(organizationId, organizationDecider, context),
    );
    const customer: Customer = { name, invoice_details: invoiceDetails };
    const { subscription_id, end_date } = renewal;
    let attempt = 0;
    await orderAsPending(
      handle,
      { organizationId, planId: plan.id },
      async (claimFor) => {
        // Skip the ids of abandoned payments.
        for (; ; attempt++) {
          const id = derivedId(`renewal of ${subscription_id} on ${end_date}/${attempt}`);
          const { status } = await handle.load(id, paymentDecider, context);
          if (status === 'abandoned') continue;
          if (status !== 'absent') return id;
          const order: decide.PaymentOrder = {
            id,
            organizationId,
            payment,
            customer,
            renewal,
            claim: await claimFor(id),
          };
          await handle(id, paymentDecider, (state) => decide.orderPayment(state, order, now), context);
          return id;
        }
      },
      context,
    );
  };

type Handling = Pick<CommandDependencies, 'handle'>;

/**
 * Records that a payment was paid.
 *
 * @throws NotFound
 * @throws IllegalState if the payment was already settled or canceled
 */
export const settlePayment =
  ({ handle }: Handling) =>
  async (id: string, context: CommandContext): Promise<void> => {
    await handle(id, paymentDecider, (state) => decide.settlePayment(state, context.now), context);
  };

/** Cancels a payment. @throws NotFound @throws IllegalState if the payment was already settled or canceled */
export const cancelPayment =
  ({ handle }: Handling) =>
  async (id: string, context: CommandContext): Promise<void> => {
    await handle(id, paymentDecider, (state) => decide.cancelPayment(state, context.now), context);
  };

/** Returns the id of the organization that a payment belongs to. @throws NotFound */
export const ownerOfPayment =
  ({ handle }: Handling) =>
  async (id: string): Promise<string> => {
    const state = await handle.load(id, paymentDecider, { organizationId: '' }, { shared: true });
    return existing(state).organizationId;
  };
