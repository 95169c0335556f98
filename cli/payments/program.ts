import type { Command } from 'commander';
import type { Config } from '../../service/config/config.ts';
import type { Output } from '../../service/output.ts';

/** `uptrail payments …` */
export const addPayments = (program: Command, config: () => Config, output: Output): void => {
  const payments = program.command('payments').description('what organizations pay for their plans');
  payments
    .command('list')
    .description('list the payments of all organizations, the newest first')
    .option('--pending', 'only those that are not paid yet', false)
    .option('--json', 'one JSON object a line, for tools', false)
    .action(async (options: { pending: boolean; json: boolean }) => {
      const { listPaymentsHere } = await import('./payments.ts');
      await listPaymentsHere(config(), options, output);
    });
  payments
    .command('settle <id>')
    .description('say that a payment was paid: its plan is in effect')
    .action(async (id: string) => {
      const { settleHere } = await import('./payments.ts');
      await settleHere(config(), id, output);
    });
  payments
    .command('cancel <id>')
    .description('say that a payment will not be paid: its invoice is void')
    .action(async (id: string) => {
      const { cancelHere } = await import('./payments.ts');
      await cancelHere(config(), id, output);
    });
};
