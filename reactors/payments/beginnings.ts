import { derivedUuid, reactorContext } from '../../commands/engine/context.ts';
import type { CommandDependencies } from '../../commands/dependencies.ts';
import type { Noted } from '../../commands/engine/appended.ts';
import { isThere } from '../../domain/lifecycle.ts';
import { paymentDecider } from '../../domain/payment/state.ts';
import { millisecondsOf } from '../../domain/time.ts';
import type { PaymentTaskDocument } from '../../projections/payments/documents.ts';
import { dueWork, type DueContext } from '../engine/due.ts';
import { againAt, done, type Ending } from '../engine/ending.ts';
import type { DueList, TodoProjection } from '../engine/lists.ts';
import type { Reactor } from '../engine/loop.ts';

export const PAYMENT_BEGINNINGS = 'payment-beginnings';

/** Payments that a wrong clock put off are asked for at once. */
const LONGEST_MS = 60_000;
/** A payment whose provider is not configured now. */
const A_WHILE_MS = 3_600_000;

export interface PaymentBeginningsDependencies extends Pick<CommandDependencies, 'handle' | 'payments'> {
  todo: TodoProjection;
  list: (context: { appended: Noted }) => DueList<PaymentTaskDocument>;
}

/**
 * Has payments asked for by their provider, one after another: the invoice of each gets its number, in the order in
 * which they were ordered.
 */
export const paymentBeginningsReactor = ({ todo, list, ...dependencies }: PaymentBeginningsDependencies): Reactor => ({
  name: PAYMENT_BEGINNINGS,
  countsEarlier: true,
  todo,
  work: dueWork(PAYMENT_BEGINNINGS, todo, list, begin(dependencies), { longest: LONGEST_MS }),
});

const begin =
  ({ handle, payments: provider }: Pick<CommandDependencies, 'handle' | 'payments'>) =>
  async (item: PaymentTaskDocument, { now, appended }: DueContext): Promise<Ending> => {
    const { id, organization_id: organizationId } = item;
    const commandId = derivedUuid(`${PAYMENT_BEGINNINGS}/${id}`);
    const context = reactorContext(PAYMENT_BEGINNINGS, { organizationId, commandId, now, appended });
    const payment = await handle.load(id, paymentDecider, context);
    if (!isThere(payment)) return done();
    if (payment.payment.method !== provider?.method) {
      return againAt(millisecondsOf(now) + A_WHILE_MS, `Nobody is paid by the method "${payment.payment.method}" now.`);
    }
    await provider.begin(payment, context);
    return done();
  };
