import type { OrderedPayment } from '../../domain/payment/state.ts';
import type { CommandContext } from '../engine/context.ts';

/** A way to be paid. Whatever it does, `settlePayment` says that a payment was paid. */
export interface PaymentProvider {
  /** its name in payments: `invoice` */
  method: string;
  /**
   * Asks for a payment that was ordered, once for each, whatever has become of it since. It may be called again for the
   * same one, after a crash.
   */
  begin: (payment: OrderedPayment, context: CommandContext) => Promise<void>;
}
