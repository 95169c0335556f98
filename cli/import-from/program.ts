import type { Command } from 'commander';
import type { Output } from '../../service/output.ts';
import { connect, connectionOptions, readConnectionConfig, type ConnectionOptions } from '../connection.ts';
import { interruptionSignal } from '../interruption.ts';
import { PRODUCTS } from './products.ts';

interface ProgramContext {
  environment: Readonly<Record<string, string | undefined>>;
  output: Output;
}

type ImportArguments = ConnectionOptions & { dryRun: boolean; json: boolean };

/** Adds the commands that import the setup of another product. */
export const addImportFrom = (program: Command, { environment, output }: ProgramContext): void => {
  const importFrom = program
    .command('import-from')
    .description('create checks, heartbeats, rules, channels and pages from the files of another product');
  for (const { name, title, files, read } of PRODUCTS) {
    connectionOptions(
      importFrom
        .command(`${name} <files...>`)
        .description(`import from ${title}: ${files}; again: change what is different`)
        .option('--dry-run', 'print the plan, and write nothing', false)
        .option('--json', 'print one JSON object a line, for tools', false),
    ).action(async (paths: string[], { dryRun, json, ...connection }: ImportArguments) => {
      // The files are read first, since a mistake in them needs no service.
      const imported = await read(paths);
      const { createServiceTarget } = await import('./service-target.ts');
      const { runImport } = await import('./run.ts');
      const client = await connect(connection, readConnectionConfig(environment), {
        signal: interruptionSignal(),
        environment,
      });
      try {
        await runImport(imported, createServiceTarget(client, { environment }), { title, dryRun, json }, output);
      } finally {
        await client.close();
      }
    });
  }
};
