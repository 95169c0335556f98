import { Conflict, IllegalState, Invalid } from '../../domain/errors.ts';
import { derivedId } from '../../domain/identity.ts';
import { existing as existingOrganization, organizationDecider } from '../../domain/organization/state.ts';
import type { Plan } from '../../domain/organization/subscription-events.ts';
import * as decide from '../../domain/payment/decide.ts';
import type { Customer, PaymentFields, Renewal } from '../../domain/payment/events.ts';
import { existing, paymentDecider } from '../../domain/payment/state.ts';
import { LONGEST_DAYS, termsOf } from '../../domain/payment/terms.ts';
import { instantOf, millisecondsOf } from '../../domain/time.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { AlreadyPending, orderAsPending } from './pending.ts';

type Ordering = Pick<CommandDependencies, 'handle' | 'plans' | 'payments'>;

const DAY_MS = 86_400_000;

/**
 * Orders a plan for the context's organization.
 *
 * @param period_months null: as many as the plan's price pays for
 * @returns the payment's id
 * @throws Invalid there is no such plan, it can't be bought, or not for such a period
 * @throws IllegalState this service takes no payments, or the organization is paid for years
 * @throws Conflict a payment for the plan is pending
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
      throw Invalid.field('plan_id', `The plan "${plan.name}" holds without a payment, so it can't be bought.`);
    }
    const terms = termsOf(plan, period_months);
    if (!provider) throw new IllegalState('This service takes no payments: its operator has not set who is paid.');
    const organization = existingOrganization(await handle.load(organizationId, organizationDecider, context));
    const until = organization.subscription?.endDate ?? now;
    if (until > instantOf(millisecondsOf(now) + LONGEST_DAYS * DAY_MS)) {
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
          const order: decide.Order = { id, organizationId, payment, customer, renewal: null, claim };
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

/** The end of a subscription that a payment is to continue, and its plan as it is now. */
export interface Renewing {
  renewal: Renewal;
  plan: Plan;
}

/**
 * Orders what continues a subscription, once for each of its ends.
 *
 * @throws AlreadyPending another payment for the plan is pending, which continues it as well
 * @throws Invalid the plan costs nothing now
 */
export const renewSubscription =
  ({ handle, provider }: Pick<Ordering, 'handle'> & { provider: NonNullable<Ordering['payments']> }) =>
  async ({ renewal, plan }: Renewing, context: CommandContext): Promise<void> => {
    const { organizationId, now } = context;
    const payment: PaymentFields = { ...termsOf(plan, null), method: provider.method };
    const { name, invoiceDetails } = existingOrganization(
      await handle.load(organizationId, organizationDecider, context),
    );
    const customer: Customer = { name, invoice_details: invoiceDetails };
    const { subscription_id, end_date } = renewal;
    let turn = 0;
    await orderAsPending(
      handle,
      { organizationId, planId: plan.id },
      async (claimFor) => {
        // Ids of payments that never came are used up.
        for (; ; turn++) {
          const id = derivedId(`renewal of ${subscription_id} on ${end_date}/${turn.toString()}`);
          const { status } = await handle.load(id, paymentDecider, context);
          if (status === 'abandoned') continue;
          if (status !== 'absent') return id;
          const order: decide.Order = { id, organizationId, payment, customer, renewal, claim: await claimFor(id) };
          await handle(id, paymentDecider, (state) => decide.orderPayment(state, order, now), context);
          return id;
        }
      },
      context,
    );
  };

type Handling = Pick<CommandDependencies, 'handle'>;

/** A payment was paid. @throws NotFound; IllegalState it was settled or canceled before */
export const settlePayment =
  ({ handle }: Handling) =>
  async (id: string, context: CommandContext): Promise<void> => {
    await handle(id, paymentDecider, (state) => decide.settlePayment(state, context.now), context);
  };

/** Nobody will pay a payment. @throws NotFound; IllegalState it was settled or canceled before */
export const cancelPayment =
  ({ handle }: Handling) =>
  async (id: string, context: CommandContext): Promise<void> => {
    await handle(id, paymentDecider, (state) => decide.cancelPayment(state, context.now), context);
  };

/** Whose a payment is. @throws NotFound */
export const ownerOfPayment =
  ({ handle }: Handling) =>
  async (id: string): Promise<string> => {
    const state = await handle.load(id, paymentDecider, { organizationId: '' }, { shared: true });
    return existing(state).organizationId;
  };
