import { derivedUuid, reactorContext } from '../../commands/engine/context.ts';
import { isExisting } from '../../domain/existence.ts';
import { paymentDecider } from '../../domain/payment/state.ts';
import { millisecondsOf } from '../../domain/time.ts';
import { payments } from '../../projections/payments/projection.ts';
import { defineReactor } from '../engine/define.ts';
import { retryItemAt, done } from '../engine/item-result.ts';
import { due } from '../engine/list-declarations.ts';

export const PAYMENT_BEGINNINGS = 'payment-beginnings';

/**
 * A payment is due when it is ordered. If an item is due more than this time in the future, a wrong clock has set its
 * due time. The reactor then handles the item after this time, instead of at its due time. In milliseconds.
 */
const LONGEST_MS = 60_000;
/** Delay before the next attempt if the method of a payment is not configured now. */
const A_WHILE_MS = 3_600_000;

/** Requests payments from their provider one at a time, so that invoice numbers follow the order of the payments. */
export const paymentBeginnings = defineReactor({
  name: PAYMENT_BEGINNINGS,
  does: 'requests payments from their provider, and numbers invoices',
  countsEarlier: true,
  list: due(payments, 'payment_beginnings', { longest: LONGEST_MS }),
  act: async ({ id, organization_id: organizationId }, { handle, payments: provider, now, appended }) => {
    const commandId = derivedUuid(`${PAYMENT_BEGINNINGS}/${id}`);
    const context = reactorContext(PAYMENT_BEGINNINGS, { organizationId, commandId, now, appended });
    const payment = await handle.load(id, paymentDecider, context);
    if (!isExisting(payment)) return done();
    if (payment.payment.method !== provider?.method) {
      return retryItemAt(
        millisecondsOf(now) + A_WHILE_MS,
        `The payment method "${payment.payment.method}" is not configured now.`,
      );
    }
    await provider.begin(payment, context);
    return done();
  },
});
