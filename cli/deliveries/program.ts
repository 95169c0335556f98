import type { Command } from 'commander';
import type { Config } from '../../service/config/config.ts';
import type { Output } from '../../service/output.ts';
import { wholeNumber } from '../whole-number.ts';
import type { DeliveriesOptions } from './list.ts';

const LIMIT = 50;

/** The commands about deliveries. */
export const addDeliveries = (program: Command, config: () => Config, output: Output): void => {
  const commands = program
    .command('deliveries')
    .description('list deliveries and what became of them, the newest first')
    .option('--status <status>', 'planned, delivered or given_up only')
    .option('--cause <cause>', 'of one cause only: <kind>/<id>')
    .option('--receiver <id>', 'to one receiver only')
    .option('--limit <deliveries>', 'how many at most', wholeNumber, LIMIT)
    .option('--json', 'one JSON object a line, for tools', false)
    .action(async (options: DeliveriesOptions) => {
      const { listDeliveriesHere } = await import('./list.ts');
      await listDeliveriesHere(config(), options, output);
    });
  commands
    .command('retry [ids...]')
    .description('try deliveries again that were given up')
    .option('--all', 'all of them', false)
    .action(async (ids: string[], { all }: { all: boolean }, command: Command) => {
      if (all === ids.length > 0) command.error('error: name the deliveries to try again, or say --all');
      const { retryDeliveriesHere } = await import('./retry.ts');
      await retryDeliveriesHere(config(), { ids, all }, output);
    });
};
