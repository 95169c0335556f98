import { setTimeout as sleep } from 'node:timers/promises';
import { createKeyedMutex } from '../../domain/mutex.ts';
import { abandonPayment, ClaimLost, type Order } from '../../domain/payment/decide.ts';
import { paymentDecider } from '../../domain/payment/state.ts';
import type { UniqueName } from '../../domain/reservation/decide.ts';
import type { CommandContext } from '../engine/context.ts';
import type { Handle } from '../engine/handle.ts';
import { claimName, lookUpReservation, NameTaken, type NameOwners } from '../reservations/reservations.ts';

/*
 * An organization has one pending payment for a plan at most. Being it is a unique name, as those of pages are
 * (commands/reservations/reservations.ts): the payment claims it before its stream begins, and holds it while it is pending.
 */

const TRIES = 5;

/** The name of being the pending payment of an organization for a plan. */
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

/** There is a pending payment for the plan already. */
export class AlreadyPending extends Error {
  readonly paymentId: string;

  constructor(paymentId: string) {
    super(`The payment ${paymentId} for the plan is pending.`);
    this.paymentId = paymentId;
  }
}

/** Orders of one process for the same plan and organization wait for each other. */
const inTurn = createKeyedMutex();

/**
 * Makes a payment the pending one for a plan.
 *
 * @param attempt orders it by a claim; it is called again, for a new id, while others take the claim away
 * @throws AlreadyPending
 */
export const orderAsPending = (
  handle: Handle,
  { organizationId, planId }: { organizationId: string; planId: string },
  attempt: (claimFor: (id: string) => Promise<Order['claim']>) => Promise<string>,
  context: CommandContext,
): Promise<string> => {
  const name = pendingName(organizationId, planId);
  const claim = claimName(handle, owners(handle));
  return inTurn(name.name, async () => {
    for (let tries = 1; ; tries++) {
      try {
        return await attempt((id) => claim(name, id, context));
      } catch (error) {
        if (error instanceof NameTaken) {
          const held = await lookUpReservation(handle, name);
          throw new AlreadyPending(held.status === 'held' ? held.ownerId : '');
        }
        if (!(error instanceof ClaimLost) || tries === TRIES) throw error;
        await sleep(20 * tries * Math.random());
      }
    }
  });
};
