import type { Decider } from '../decider.ts';
import type { InvoiceSequenceEvent } from './events.ts';

/** The number that was assigned last; 0: none yet. */
export interface InvoiceSequence {
  last: number;
}

export const invoiceSequenceDecider: Decider<InvoiceSequence, InvoiceSequenceEvent> = {
  category: 'invoice_sequence',
  initialState: { last: 0 },
  evolve: (_, { data }) => ({ last: data.number }),
};

/**
 * Assigns the next number of a year. That a payment gets no second one is for the command to see to, whose id follows
 * from the payment's (commands/payments/invoice.ts).
 */
export const assignNumber = (
  { last }: InvoiceSequence,
  { year, paymentId, organizationId }: { year: number; paymentId: string; organizationId: string },
): InvoiceSequenceEvent => ({
  type: 'InvoiceNumberAssigned',
  data: { year, number: last + 1, payment_id: paymentId, organization_id: organizationId },
});

/** A number as it stands on an invoice: `2026-000001`. */
export const invoiceNumber = ({ year, number }: { year: number; number: number }): string =>
  `${year.toString()}-${number.toString().padStart(6, '0')}`;
