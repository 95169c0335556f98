import { derivedUuid, reactorContext } from '../../commands/engine/context.ts';
import { isThere } from '../../domain/lifecycle.ts';
import { paymentDecider } from '../../domain/payment/state.ts';
import { millisecondsOf } from '../../domain/time.ts';
import { payments } from '../../projections/payments/projection.ts';
import { defineReactor } from '../engine/define.ts';
import { againAt, done } from '../engine/ending.ts';
import { due } from '../engine/on-lists.ts';

export const PAYMENT_BEGINNINGS = 'payment-beginnings';

/** Payments that a wrong clock put off are asked for at once. */
const LONGEST_MS = 60_000;
/** A payment whose provider is not configured now. */
const A_WHILE_MS = 3_600_000;

/**
 * Has payments asked for by their provider, one after another: the invoice of each gets its number, in the order in
 * which they were ordered.
 */
export const paymentBeginnings = defineReactor({
  name: PAYMENT_BEGINNINGS,
  does: 'has payments asked for by their provider, and invoices numbered',
  countsEarlier: true,
  list: due(payments, 'payment_beginnings', { longest: LONGEST_MS }),
  act: async ({ id, organization_id: organizationId }, { handle, payments: provider, now, appended }) => {
    const commandId = derivedUuid(`${PAYMENT_BEGINNINGS}/${id}`);
    const context = reactorContext(PAYMENT_BEGINNINGS, { organizationId, commandId, now, appended });
    const payment = await handle.load(id, paymentDecider, context);
    if (!isThere(payment)) return done();
    if (payment.payment.method !== provider?.method) {
      return againAt(millisecondsOf(now) + A_WHILE_MS, `Nobody is paid by the method "${payment.payment.method}" now.`);
    }
    await provider.begin(payment, context);
    return done();
  },
});
