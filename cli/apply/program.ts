import type { Command } from 'commander';
import type { Output } from '../../service/output.ts';
import { connect, connectionOptions, readConnectionConfig, type ConnectionOptions } from '../connection.ts';
import { interruptionSignal } from '../interruption.ts';
import type { Client } from './client.ts';
import type { PlanCommandOptions } from './commands.ts';

interface ProgramContext {
  environment: Readonly<Record<string, string | undefined>>;
  output: Output;
  exit: (code: number) => void;
}

/** Adds the commands that manage the configuration of a service as files. */
export const addConfigurationFiles = (program: Command, { environment, output, exit }: ProgramContext): void => {
  const withClient = async (options: ConnectionOptions, work: (client: Client) => Promise<void>): Promise<void> => {
    const client = await connect(options, readConnectionConfig(environment), {
      signal: interruptionSignal(),
      environment,
    });
    try {
      await work(client);
    } finally {
      await client.close();
    }
  };

  connectionOptions(
    filesOptions(
      program
        .command('plan')
        .description('show what `apply` would change. Exits with 2 if something would change, and 0 if not'),
    ),
  ).action((options: PlanCommandOptions & ConnectionOptions) =>
    withClient(options, async (client) => {
      const { runPlan } = await import('./commands.ts');
      exit(await runPlan(client, options, { environment, output }));
    }),
  );
  connectionOptions(
    filesOptions(
      program
        .command('apply')
        .description(
          'create and change objects of a service so that they are as in YAML files. Exits with 3 if objects were left as they are, because somebody has changed them meanwhile',
        ),
    ).option('--yes', 'do not ask for confirmation on a terminal', false),
  ).action((options: PlanCommandOptions & ConnectionOptions & { yes: boolean }) =>
    withClient(options, async (client) => {
      const { runApply } = await import('./commands.ts');
      exit(await runApply(client, options, { environment, output }));
    }),
  );
  connectionOptions(
    program
      .command('export-config')
      .description('print the configuration of a service as YAML, for `apply`; secret values are not in it')
      .option('-o, --output <file>', 'write to a file instead'),
  ).action((options: ConnectionOptions & { output?: string }) =>
    withClient(options, async (client) => {
      const { runExportConfig } = await import('./commands.ts');
      await runExportConfig(client, options, output);
    }),
  );
  program
    .command('config-schema')
    .description('print the JSON Schema of the files of `apply`')
    .action(async () => {
      const { configurationSchemaText } = await import('../../api/configuration/document.ts');
      for (const line of configurationSchemaText().trimEnd().split('\n')) await output.line(line);
    });
};

const repeated = (value: string, values: string[] = []): string[] => [...values, value];

const filesOptions = (command: Command): Command =>
  command
    .requiredOption('-f, --file <path>', 'YAML file, folder of YAML files, or "-"; may be repeated', repeated)
    .option('--prune', 'delete objects that `apply` has created and the files do not contain', false)
    .option('--values <file>', 'YAML file with the values of `${kept}` that the service does not store')
    .option(
      '--write-secrets',
      'write secret values that cannot be compared, because the service shows them to nobody',
      false,
    )
    .option('--json', 'print one JSON object a line, for tools', false);
