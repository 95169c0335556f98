import type { OrderedPayment } from '../../domain/payment/state.ts';
import type { CommandContext } from '../engine/context.ts';

/** A payment method. For all methods, `settlePayment` records that a payment was paid. */
export interface PaymentProvider {
  /** the name that payments store, such as `invoice` */
  method: string;
  /**
   * Requests the money for an ordered payment. Called once for each payment, even if the payment was settled or
   * canceled in the meantime. After a crash, this function can be called again for the same payment.
   */
  begin: (payment: OrderedPayment, context: CommandContext) => Promise<void>;
}
