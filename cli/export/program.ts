import { Option, type Command } from 'commander';
import type { Output } from '../../service/output.ts';
import type { Client } from '../apply/client.ts';
import { connect, connectionOptions, readConnectionConfig, type ConnectionOptions } from '../connection.ts';
import { interruptionSignal } from '../interruption.ts';
import type { IncidentFormat } from './incidents.ts';
import type { ResultFormat } from './results.ts';

type FileOption = ConnectionOptions & { output?: string };

/**
 * Adds the commands that export what a page or a check has recorded. @param command the command `uptrail export`
 */
export const addExports = (
  command: Command,
  environment: Readonly<Record<string, string | undefined>>,
  output: Output,
): void => {
  const withClient = async (options: ConnectionOptions, work: (client: Client) => Promise<void>): Promise<void> => {
    const signal = interruptionSignal();
    const client = await connect(options, readConnectionConfig(environment), { signal, environment });
    try {
      await work(client);
    } finally {
      await client.close();
    }
  };

  toFile(
    command
      .command('incidents <page>')
      .description('print all incidents and maintenances of a page; a page has an id, a subdomain and a name')
      .addOption(
        new Option('--format <format>', 'json: as in the API; statuspage: as in the API of Statuspage')
          .choices(['json', 'statuspage'])
          .default('json'),
      ),
  ).action((page: string, options: FileOption & { format: IncidentFormat }) =>
    withClient(options, async (client) => {
      const { runExportIncidents } = await import('./commands.ts');
      await runExportIncidents(client, page, options, output);
    }),
  );
  toFile(
    command
      .command('subscribers <page>')
      .description('print all subscribers of a page with whole addresses as CSV; needs the role admin'),
  ).action((page: string, options: FileOption) =>
    withClient(options, async (client) => {
      const { runExportSubscribers } = await import('./commands.ts');
      await runExportSubscribers(client, page, options, output);
    }),
  );
  toFile(
    command
      .command('results <check>')
      .description('print the results of a check, oldest first; a check has an id and a name')
      .option('--from <time>', 'first time (ISO 8601); default: that of the oldest result')
      .option('--to <time>', 'last time; default: now')
      .addOption(new Option('--format <format>', 'JSON lines or CSV').choices(['jsonl', 'csv']).default('jsonl')),
  ).action((check: string, options: FileOption & { from?: string; to?: string; format: ResultFormat }) =>
    withClient(options, async (client) => {
      const { runExportResults } = await import('./commands.ts');
      await runExportResults(client, check, options, output);
    }),
  );
};

const toFile = (command: Command): Command =>
  connectionOptions(command.option('-o, --output <file>', 'write to a new file instead'));
