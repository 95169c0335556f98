import { setTimeout as sleep } from 'node:timers/promises';
import { createKeyedMutex } from '../../domain/concurrency/mutex.ts';
import { abandonPayment, PaymentClaimLost, type PaymentOrder } from '../../domain/payment/decide.ts';
import { paymentDecider } from '../../domain/payment/state.ts';
import type { UniqueName } from '../../domain/reservation/decide.ts';
import { retried } from '../../domain/concurrency/retried.ts';
import type { CommandContext } from '../engine/context.ts';
import type { Handle } from '../engine/handle.ts';
import { claimName, lookUpReservation, NameTaken, type NameOwners } from '../reservations/reservations.ts';

/*
 * An organization has at most one pending payment for a plan. A unique name represents "the pending payment of
 * organization X for plan Y" (commands/reservations/reservations.ts). A payment claims this name before its stream is
 * created, and holds the name while it is pending.
 */

const TRIES = 5;

/** Returns the unique name of the pending payment of an organization for a plan. */
const pendingName = (organizationId: string, planId: string): UniqueName => ({
  kind: 'pending_payment',
  name: JSON.stringify([organizationId, planId]),
});

const owners = (handle: Handle): NameOwners => ({
  settle: async ({ ownerId: id, organizationId, claim }, _, context) => {
    const { state } = await handle(
      id,
      paymentDecider,
      (payment) => abandonPayment(payment, { id, organizationId }, claim),
      context,
    );
    return state.status === 'pending' ? 'holds the name' : 'closed to the claim';
  },
});

/** Thrown if the plan already has a pending payment. */
export class AlreadyPending extends Error {
  readonly paymentId: string;

  constructor(paymentId: string) {
    super(`The payment ${paymentId} for the plan is pending.`);
    this.paymentId = paymentId;
  }
}

const inTurn = createKeyedMutex();

/**
 * Orders a payment that becomes the pending payment for a plan. Orders of one process for the same plan and
 * organization run one after another.
 *
 * @param attempt orders the payment with a claim; called again, with a new id, if another process took over the claim
 * @throws AlreadyPending
 */
export const orderAsPending = (
  handle: Handle,
  { organizationId, planId }: { organizationId: string; planId: string },
  attempt: (claimFor: (id: string) => Promise<PaymentOrder['claim']>) => Promise<string>,
  context: CommandContext,
): Promise<string> => {
  const name = pendingName(organizationId, planId);
  const claim = claimName(handle, owners(handle));
  return inTurn(name.name, async () => {
    try {
      return await retried(() => attempt((id) => claim(name, id, context)), {
        tries: TRIES,
        retryOn: (error) => error instanceof PaymentClaimLost,
        pause: (tried) => sleep(20 * tried * Math.random()),
      });
    } catch (error) {
      if (!(error instanceof NameTaken)) throw error;
      const held = await lookUpReservation(handle, name);
      throw new AlreadyPending(held.status === 'held' ? held.ownerId : '');
    }
  });
};
