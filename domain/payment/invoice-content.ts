import type { Seller } from './seller.ts';
import type { Instant } from '../time.ts';

/** The content of an invoice. */
export interface InvoiceContent {
  number: string;
  invoiced_at: Instant;
  seller: Seller;
  /** the paying organization */
  customer: { name: string; address: string | null; tax_id: string | null; email: string | null };
  description: string;
  /** value is a decimal text, such as `4990.00` */
  amount: { value: string; currency: string };
  /** when the payment was paid; null if it is unpaid */
  paid_at: Instant | null;
  canceled_at: Instant | null;
  /** reference that a bank transfer can contain besides the invoice number */
  payment_id: string;
}
