import { unreachable, type Decider } from '../decider.ts';
import { lifecycleOf } from '../existence.ts';
import type { Instant } from '../time.ts';
import type { Customer, PaymentEvent, PaymentFields } from './events.ts';
import type { Seller } from './seller.ts';

/** The invoice of a payment. */
export interface Invoice {
  number: string;
  invoicedAt: Instant;
  seller: Seller;
}

export interface OrderedPayment {
  status: 'pending' | 'succeeded' | 'canceled';
  id: string;
  organizationId: string;
  payment: PaymentFields;
  customer: Customer;
  createdAt: Instant;
  /** null until an invoice number is assigned */
  invoice: Invoice | null;
  /** when the payment was paid or canceled; null while it is pending */
  endedAt: Instant | null;
}

export type Payment = { status: 'absent' } | { status: 'abandoned' } | OrderedPayment;

export const { existing, requireAbsent, onExisting } = lifecycleOf<Payment>('payment');

const evolve = (state: Payment, event: PaymentEvent): Payment => {
  switch (event.type) {
    case 'PaymentCreated': {
      const { payment_id: id, organization_id: organizationId, payment, customer, created_at: createdAt } = event.data;
      const ordered = { id, organizationId, payment, customer, createdAt };
      return { status: 'pending', ...ordered, invoice: null, endedAt: null };
    }
    case 'PaymentAbandoned':
      return { status: 'abandoned' };
    case 'PaymentInvoiced': {
      const { invoice_number: number, invoiced_at: invoicedAt, seller } = event.data;
      return onExisting(state, (payment) => ({ ...payment, invoice: { number, invoicedAt, seller } }));
    }
    case 'PaymentSucceeded': {
      const { paid_at: endedAt } = event.data;
      return onExisting(state, (payment) => ({ ...payment, status: 'succeeded', endedAt }));
    }
    case 'PaymentCanceled': {
      const { canceled_at: endedAt } = event.data;
      return onExisting(state, (payment) => ({ ...payment, status: 'canceled', endedAt }));
    }
    default:
      return unreachable(event);
  }
};

export const paymentDecider: Decider<Payment, PaymentEvent> = {
  category: 'payment',
  initialState: { status: 'absent' },
  evolve,
};
