import type { Command } from 'commander';
import type { Config } from '../../service/config/config.ts';
import type { Output } from '../../service/output.ts';
import { wholeNumber } from '../whole-number.ts';
import type { NotificationsOptions } from './list.ts';

const LIMIT = 50;

/** Adds the commands about notifications of subscribers. */
export const addNotifications = (program: Command, config: () => Config, output: Output): void => {
  const commands = program
    .command('notifications')
    .description('list messages to subscribers of pages and their status, latest change first')
    .option('--failed', 'only notifications that could not be delivered', false)
    .option('--page <id>', 'only notifications of one page')
    .option('--incident <id>', 'only notifications about one incident')
    .option('--limit <notifications>', 'maximum number of notifications', wholeNumber, LIMIT)
    .option('--json', 'print one JSON object a line, for tools', false)
    .action(async (options: NotificationsOptions) => {
      const { runListNotifications: listNotificationsHere } = await import('./list.ts');
      await listNotificationsHere(config(), options, output);
    });
  commands
    .command('retry <ids...>')
    .description('retry notifications that could not be delivered')
    .action(async (ids: string[]) => {
      const { runRetryDeliveries: retryDeliveriesHere } = await import('../deliveries/retry.ts');
      await retryDeliveriesHere(config(), { ids, all: false }, output);
    });
};
