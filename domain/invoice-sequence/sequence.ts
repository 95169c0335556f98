import type { Decider } from '../decider.ts';
import type { InvoiceSequenceEvent } from './events.ts';

/** The last assigned number; 0 if there is none yet. */
export interface InvoiceSequence {
  last: number;
}

export const invoiceSequenceDecider: Decider<InvoiceSequence, InvoiceSequenceEvent> = {
  category: 'invoice_sequence',
  initialState: { last: 0 },
  evolve: (_, { data }) => ({ last: data.number }),
};

/**
 * Assigns the next number of a year. The command ensures that a payment gets only one number: its id is derived from the
 * payment (commands/payments/invoices.ts).
 */
export const assignNumber = (
  { last }: InvoiceSequence,
  { year, paymentId, organizationId }: { year: number; paymentId: string; organizationId: string },
): InvoiceSequenceEvent => ({
  type: 'InvoiceNumberAssigned',
  data: { year, number: last + 1, payment_id: paymentId, organization_id: organizationId },
});

/** A number as printed on an invoice: `2026-000001`. */
export const invoiceNumber = ({ year, number }: { year: number; number: number }): string =>
  `${year}-${number.toString().padStart(6, '0')}`;
