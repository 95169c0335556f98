import { Conflict, IllegalState } from '../errors.ts';
import type { Instant } from '../time.ts';
import type { Customer, PaymentEvent, PaymentFields, Renewal } from './events.ts';
import type { Seller } from './seller.ts';
import { existing, requireAbsent, type OrderedPayment, type Payment } from './state.ts';

/**
 * Another payment for the same plan closed the claim of this payment, so this payment cannot be created. The command is
 * retried.
 */
export class PaymentClaimLost extends Conflict {}

/** The data of a new payment. */
export interface PaymentOrder {
  id: string;
  organizationId: string;
  payment: PaymentFields;
  customer: Customer;
  renewal: Renewal | null;
  claim: number;
}

/** @throws Conflict the payment already exists @throws PaymentClaimLost */
export const orderPayment = (state: Payment, order: PaymentOrder, now: Instant): PaymentEvent => {
  if (state.status === 'abandoned')
    throw new PaymentClaimLost('Another payment for the plan was ordered at the same time.');
  requireAbsent(state);
  const { id: payment_id, organizationId: organization_id, payment, customer, renewal, claim } = order;
  return {
    type: 'PaymentCreated',
    data: { payment_id, organization_id, created_at: now, payment, customer, renewal, claim },
  };
};

/** Closes the stream of a payment that was not created. Returns no event if the payment exists. */
export const abandonPayment = (
  state: Payment,
  { id, organizationId }: Pick<PaymentOrder, 'id' | 'organizationId'>,
  claim: number,
): PaymentEvent[] =>
  state.status === 'absent'
    ? [{ type: 'PaymentAbandoned', data: { payment_id: id, organization_id: organizationId, claim } }]
    : [];

/**
 * Assigns the invoice number to a payment in any status. Returns no event if the payment already has a number.
 *
 * @throws NotFound
 */
export const invoicePayment = (
  state: Payment,
  { number, seller }: { number: string; seller: Seller },
  now: Instant,
): PaymentEvent[] => {
  const payment = existing(state);
  if (payment.invoice) return [];
  return [{ type: 'PaymentInvoiced', data: { ...idsOf(payment), invoice_number: number, invoiced_at: now, seller } }];
};

/** Records that a payment was paid. @throws NotFound @throws IllegalState the payment was already paid or canceled */
export const settlePayment = (state: Payment, now: Instant): PaymentEvent => {
  const payment = pending(state, 'settled');
  return { type: 'PaymentSucceeded', data: { ...idsOf(payment), paid_at: now } };
};

/** Cancels a payment. @throws NotFound @throws IllegalState the payment was already paid or canceled */
export const cancelPayment = (state: Payment, now: Instant): PaymentEvent => {
  const payment = pending(state, 'canceled');
  return { type: 'PaymentCanceled', data: { ...idsOf(payment), canceled_at: now } };
};

const idsOf = ({ id, organizationId }: OrderedPayment) => ({ payment_id: id, organization_id: organizationId });

const pending = (state: Payment, wanted: 'settled' | 'canceled'): OrderedPayment => {
  const payment = existing(state);
  if (payment.status === 'pending') return payment;
  const was = payment.status === 'succeeded' ? 'settled' : 'canceled';
  const at = payment.endedAt === null ? '' : ` on ${payment.endedAt.slice(0, 10)}`;
  throw new IllegalState(
    was === wanted ? `The payment was already ${was}${at}.` : `The payment was ${was}${at}, so it can't be ${wanted}.`,
  );
};
