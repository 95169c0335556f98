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
  /** `4990.00` */
  amount: { value: string; currency: string };
  /** when it was paid or canceled; null if not */
  paid_at: Instant | null;
  canceled_at: Instant | null;
  /** payment reference for a bank transfer, in addition to the number */
  payment_id: string;
}
