import type { Command } from 'commander';
import type { Config } from '../../service/config/config.ts';
import type { Output } from '../../service/output.ts';
import { wholeNumber } from '../whole-number.ts';
import type { DeliveriesOptions } from './list.ts';

const LIMIT = 50;

/** Adds the commands about deliveries. */
export const addDeliveries = (program: Command, config: () => Config, output: Output): void => {
  const commands = program
    .command('deliveries')
    .description('list deliveries and their status, newest first')
    .option('--status <status>', 'only planned, delivered or given_up deliveries')
    .option('--cause <cause>', 'only deliveries of one cause: <kind>/<id>')
    .option('--receiver <id>', 'only deliveries to one receiver')
    .option('--limit <deliveries>', 'maximum number of deliveries', wholeNumber, LIMIT)
    .option('--json', 'print one JSON object a line, for tools', false)
    .action(async (options: DeliveriesOptions) => {
      const { runListDeliveries: listDeliveriesHere } = await import('./list.ts');
      await listDeliveriesHere(config(), options, output);
    });
  commands
    .command('retry [ids...]')
    .description('retry deliveries that failed permanently')
    .option('--all', 'retry all of them', false)
    .action(async (ids: string[], { all }: { all: boolean }, command: Command) => {
      if (all === ids.length > 0) command.error('error: name the deliveries to retry, or use --all');
      const { runRetryDeliveries: retryDeliveriesHere } = await import('./retry.ts');
      await retryDeliveriesHere(config(), { ids, all }, output);
    });
};
