import { assignNumber, invoiceNumber, invoiceSequenceDecider } from '../../domain/invoice-sequence/sequence.ts';
import { invoicePayment } from '../../domain/payment/decide.ts';
import type { Seller } from '../../domain/payment/seller.ts';
import { paymentDecider, type OrderedPayment } from '../../domain/payment/state.ts';
import { commandContext, derivedUuid, type CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';
import type { PaymentProvider } from './provider.ts';

export const INVOICE = 'invoice';

const SHARED = { shared: true };

/**
 * Creates a provider that collects payments by invoice. An operator settles invoices manually.
 *
 * The invoice number of a payment never changes. The command that assigns the number has an id derived from the
 * payment, so repeated and concurrent calls get the same number, and the numbers have no gaps.
 */
export const invoiceProvider = ({ handle }: Pick<CommandDependencies, 'handle'>, seller: Seller): PaymentProvider => ({
  method: INVOICE,
  begin: async (payment, context) => {
    if (payment.invoice) return;
    const number = await numberOf(handle, payment, context);
    await handle(
      payment.id,
      paymentDecider,
      (state) => invoicePayment(state, { number, seller }, context.now),
      commandContext({ ...context, commandId: derivedUuid(`invoice of payment ${payment.id}`), repeatable: true }),
    );
  },
});

/**
 * Returns the invoice number of a payment. The numbers of each year are a separate sequence. The year is that of the
 * order.
 */
const numberOf = async (
  handle: CommandDependencies['handle'],
  { id, organizationId, createdAt }: OrderedPayment,
  context: CommandContext,
): Promise<string> => {
  const year = Number(createdAt.slice(0, 4));
  const { events } = await handle(
    year.toString(),
    invoiceSequenceDecider,
    (sequence) => assignNumber(sequence, { year, paymentId: id, organizationId }),
    commandContext({ ...context, commandId: derivedUuid(`invoice number of payment ${id}`), repeatable: true }),
    SHARED,
  );
  const [assigned] = events;
  if (!assigned) throw new Error(`No number was assigned to the payment ${id}.`);
  return invoiceNumber(assigned.data);
};
