import type { Decider } from '../decider.ts';
import type { InvoiceSequenceEvent } from './events.ts';

/** The state of an invoice sequence: the most recently assigned number, or 0 if none has been assigned. */
export interface InvoiceSequence {
  last: number;
}

export const invoiceSequenceDecider: Decider<InvoiceSequence, InvoiceSequenceEvent> = {
  category: 'invoice_sequence',
  initialState: { last: 0 },
  evolve: (_, { data }) => ({ last: data.number }),
};

/**
 * Assigns the next number of a year. The caller ensures that a payment gets only one number: the id of its command is
 * derived from the payment (commands/payments/invoices.ts).
 */
export const assignNumber = (
  { last }: InvoiceSequence,
  { year, paymentId, organizationId }: { year: number; paymentId: string; organizationId: string },
): InvoiceSequenceEvent => ({
  type: 'InvoiceNumberAssigned',
  data: { year, number: last + 1, payment_id: paymentId, organization_id: organizationId },
});

/** Returns a number as printed on an invoice: `2026-000001`. */
export const invoiceNumber = ({ year, number }: { year: number; number: number }): string =>
  `${year}-${number.toString().padStart(6, '0')}`;
