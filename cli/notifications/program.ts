import type { Command } from 'commander';
import type { Config } from '../../service/config/config.ts';
import type { Output } from '../../service/output.ts';
import { wholeNumber } from '../whole-number.ts';
import type { NotificationsOptions } from './list.ts';

const LIMIT = 50;

/** The commands about what pages tell their subscribers. */
export const addNotifications = (program: Command, config: () => Config, output: Output): void => {
  const commands = program
    .command('notifications')
    .description('list what pages have told their subscribers, the last change first')
    .option('--failed', 'only what could not be delivered', false)
    .option('--page <id>', 'of one page only')
    .option('--incident <id>', 'about one incident only')
    .option('--limit <notifications>', 'how many at most', wholeNumber, LIMIT)
    .option('--json', 'one JSON object a line, for tools', false)
    .action(async (options: NotificationsOptions) => {
      const { listNotificationsHere } = await import('./list.ts');
      await listNotificationsHere(config(), options, output);
    });
  commands
    .command('retry <ids...>')
    .description('try notifications again that could not be delivered')
    .action(async (ids: string[]) => {
      const { retryDeliveriesHere } = await import('../deliveries/retry.ts');
      await retryDeliveriesHere(config(), { ids, all: false }, output);
    });
};
