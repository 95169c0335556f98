import { organizationDecider } from '../../domain/organization/state.ts';
import {
  endSubscription,
  notRenewed,
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
 * Gives the organization what a payment paid for. It is done once for a payment: the id of the command follows from it.
 *
 * @returns until when that has to wait for another subscription; null: it is done
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

/** Ends the subscription of the context's organization if its time is over. @throws NotFound */
export const endPaidPlan =
  ({ handle }: Handling) =>
  async (context: CommandContext): Promise<void> => {
    const { organizationId, now } = context;
    await handle(organizationId, organizationDecider, (state) => endSubscription(state, now), context);
  };

/** Writes down that a subscription is not continued by itself, though it was to be. @throws NotFound */
export const giveUpRenewal =
  ({ handle }: Handling) =>
  async (ending: Ending, context: CommandContext): Promise<void> => {
    await handle(context.organizationId, organizationDecider, (state) => notRenewed(state, ending), context);
  };
