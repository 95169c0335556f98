import type { InvoiceContent } from '../../../domain/payment/invoice-content.ts';
import { PAYMENT_ID, SELLER } from '../../payments.ts';

/** An unpaid invoice. */
export const invoiceContent: InvoiceContent = {
  number: '2026-000001',
  invoiced_at: '2026-11-20T15:00:00.000000',
  seller: SELLER,
  customer: { name: 'Acme', address: 'Harbour Street 1\n54321 Springfield', tax_id: null, email: null },
  description: 'Team, 30 days',
  amount: { value: '49.90', currency: 'EUR' },
  paid_at: null,
  canceled_at: null,
  payment_id: PAYMENT_ID,
};
