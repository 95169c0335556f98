import { organizationDecider } from '../../domain/organization/state.ts';
import {
  endSubscription,
  recordFailedRenewal,
  subscribe,
  subscriptionOf,
  waitsUntil,
  type Ending,
} from '../../domain/organization/subscriptions.ts';
import { existing, paymentDecider } from '../../domain/payment/state.ts';
import type { Instant } from '../../domain/time.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';

type Handling = Pick<CommandDependencies, 'handle'>;

/**
 * Starts the subscription that a payment has paid for. The command's id is derived from the payment, so repeated calls
 * start only one subscription.
 *
 * @returns the time at which to call this function again, if another subscription must end first; otherwise null
 * @throws NotFound
 */
export const startPaidPlan =
  ({ handle }: Handling) =>
  async (paymentId: string, context: CommandContext): Promise<Instant | null> => {
    const { organizationId, now } = context;
    const { status, payment } = existing(await handle.load(paymentId, paymentDecider, context));
    if (status !== 'succeeded') return null;
    const { plan, days } = payment;
    const id = subscriptionOf(paymentId);
    const { events, state } = await handle(
      organizationId,
      organizationDecider,
      (organization) => subscribe(organization, id, { plan, days, paymentId }, now),
      context,
    );
    return events.length > 0 ? null : waitsUntil(state, plan, now);
  };

/** Ends the subscription of the context's organization if the subscription has expired. @throws NotFound */
export const endPaidPlan =
  ({ handle }: Handling) =>
  async (context: CommandContext): Promise<void> => {
    const { organizationId, now } = context;
    await handle(organizationId, organizationDecider, (state) => endSubscription(state, now), context);
  };

/** Records that the automatic renewal of a subscription failed. @throws NotFound */
export const recordRenewalFailure =
  ({ handle }: Handling) =>
  async (ending: Ending, context: CommandContext): Promise<void> => {
    await handle(context.organizationId, organizationDecider, (state) => recordFailedRenewal(state, ending), context);
  };
