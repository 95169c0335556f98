import type { Seller } from './seller.ts';
import type { Instant } from '../time.ts';

/** What stands on an invoice. */
export interface InvoiceContent {
  number: string;
  invoiced_at: Instant;
  seller: Seller;
  /** lines of who pays: name, address, tax id */
  customer: { name: string; address: string | null; tax_id: string | null; email: string | null };
  description: string;
  /** `4990.00` */
  amount: { value: string; currency: string };
  /** when it was paid or canceled; null: not */
  paid_at: Instant | null;
  canceled_at: Instant | null;
  /** what to name in a transfer, besides the number */
  payment_id: string;
}
