import type { OrderedPayment } from '../../domain/payment/state.ts';
import type { CommandContext } from '../engine/context.ts';

/** A payment method. `settlePayment` records that a payment was paid, whatever the method. */
export interface PaymentProvider {
  /** the name that payments store, such as `invoice` */
  method: string;
  /**
   * Requests the money for an ordered payment. Called once for each payment, whatever its status by then; after a crash
   * it may be called again for the same payment.
   */
  begin: (payment: OrderedPayment, context: CommandContext) => Promise<void>;
}
