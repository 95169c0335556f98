import type { Command } from 'commander';
import type { Config } from '../../service/config/config.ts';
import type { Output } from '../../service/output.ts';

/** Adds the commands `uptrail payments …`. */
export const addPayments = (program: Command, config: () => Config, output: Output): void => {
  const payments = program.command('payments').description('payments of organizations for their plans');
  payments
    .command('list')
    .description('list the payments of all organizations, newest first')
    .option('--pending', 'only unpaid ones', false)
    .option('--json', 'print one JSON object a line, for tools', false)
    .action(async (options: { pending: boolean; json: boolean }) => {
      const { runListPayments: listPaymentsHere } = await import('./payments.ts');
      await listPaymentsHere(config(), options, output);
    });
  payments
    .command('settle <id>')
    .description('mark a payment as paid: its plan takes effect')
    .action(async (id: string) => {
      const { runSettlePayment: settleHere } = await import('./payments.ts');
      await settleHere(config(), id, output);
    });
  payments
    .command('cancel <id>')
    .description('cancel a payment and void its invoice')
    .action(async (id: string) => {
      const { runCancelPayment: cancelHere } = await import('./payments.ts');
      await cancelHere(config(), id, output);
    });
};
