import { cancelPayment, ownerOfPayment, settlePayment } from '../../commands/payments/payments.ts';
import { moneyText, shownMoney } from '../../domain/money.ts';
import type { PaymentDocument } from '../../projections/payments/documents.ts';
import { payments } from '../../projections/payments/projection.ts';
import type { Read } from '../../projections/readers.ts';
import { commandLineContext } from '../../service/command-line.ts';
import type { Config } from '../../service/config/config.ts';
import { printable, table, type Output } from '../../service/output.ts';
import { withCommands } from '../../service/stores.ts';
import { openConfiguredReadModels } from '../read-models.ts';

type Handling = Parameters<typeof settlePayment>[0];

/** `uptrail payments settle`: marks a payment as paid. A running service then activates the paid plan. */
export const settle = async (dependencies: Handling, id: string, output: Output): Promise<void> => {
  const owner = await ownerOfPayment(dependencies)(id);
  await settlePayment(dependencies)(id, commandLineContext(owner));
  await output.line(`The payment ${id} is settled.`);
};

/** `uptrail payments cancel`: cancels a payment and voids its invoice. */
export const cancel = async (dependencies: Handling, id: string, output: Output): Promise<void> => {
  const owner = await ownerOfPayment(dependencies)(id);
  await cancelPayment(dependencies)(id, commandLineContext(owner));
  await output.line(`The payment ${id} is canceled.`);
};

export const runSettlePayment = (config: Config, id: string, output: Output): Promise<void> =>
  withCommands(config, (dependencies) => settle(dependencies, id, output));

export const runCancelPayment = (config: Config, id: string, output: Output): Promise<void> =>
  withCommands(config, (dependencies) => cancel(dependencies, id, output));

const HEADINGS = ['ID', 'ORGANIZATION', 'STATUS', 'INVOICE', 'AMOUNT', 'FOR', 'ORDERED (UTC)'];

/** `uptrail payments list`: lists the payments of all organizations, newest first. */
export const listPayments = async (
  read: Read,
  { pending, json }: { pending: boolean; json: boolean },
  output: Output,
): Promise<void> => {
  const found = await read(payments).payments.find({
    where: pending ? { status: 'pending' } : {},
    sort: { created_at: -1 },
  });
  if (json) for (const payment of found) await output.line(JSON.stringify(shownOf(payment)));
  else for (const line of table(HEADINGS, found.map(cellsOf))) await output.line(line);
};

export const runListPayments = async (
  config: Config,
  options: Parameters<typeof listPayments>[1],
  output: Output,
): Promise<void> => {
  const { read, close } = await openConfiguredReadModels(config);
  try {
    await listPayments(read, options, output);
  } finally {
    await close();
  }
};

/** Returns a payment in the form of the API, without the link to the invoice. */
const shownOf = (payment: PaymentDocument) => {
  const { id, organization_id, status, amount, description, plan, period_months, method, invoice } = payment;
  const { paid_at, canceled_at, created_at } = payment;
  return {
    id,
    organization_id,
    status,
    amount: shownMoney(amount),
    description,
    plan_id: plan.id,
    period_months,
    method,
    invoice_number: invoice?.number ?? null,
    paid_at,
    canceled_at,
    created_at,
  };
};

const cellsOf = (payment: PaymentDocument): string[] => {
  const { id, organization_id, status, amount, description, invoice, created_at } = payment;
  const number = invoice?.number ?? 'none yet';
  return [id, organization_id, status, number, moneyText(amount), printable(description), created_at.slice(0, 19)];
};
