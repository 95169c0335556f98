import { InvalidArgumentError, type Command } from 'commander';
import type { Config } from '../../service/config/config.ts';
import { interruptionSignal } from '../interruption.ts';
import type { Output } from '../../service/output.ts';
import { addExports } from '../export/program.ts';
import type { LogName } from './format.ts';

/** Adds the commands that move a service to another deployment. */
export const addTransfer = (
  program: Command,
  config: () => Config,
  output: Output,
  environment: Readonly<Record<string, string | undefined>>,
): void => {
  const exporting = program
    .command('export <folder>')
    .description('write the logs as JSON lines for an import elsewhere; run again to add new events')
    .option('--log <name>', 'only main or results', logs, BOTH)
    .action(async (folder: string, { log }: { log: readonly LogName[] }) => {
      const { runExport: exportHere } = await import('./commands.ts');
      await exportHere(config(), { folder, logs: log, signal: interruptionSignal() }, output);
    });
  addExports(exporting, environment, output);
  program
    .command('import <folder>')
    .description('import exported logs before the first start; continues an interrupted import')
    .option('--log <name>', 'only main or results', logs, BOTH)
    .action(async (folder: string, { log }: { log: readonly LogName[] }) => {
      const { runImport: importHere } = await import('./commands.ts');
      await importHere(config(), { folder, logs: log, signal: interruptionSignal() }, output);
    });
};

/** Adds the commands that export and import keys. @param keys the command `uptrail keys` */
export const addKeysTransfer = (keys: Command, config: () => Config, output: Output): void => {
  keys
    .command('export <file>')
    .description('write all keys into a file, wrapped by SECRETS_KEY')
    .action(async (file: string) => {
      const { exportKeys } = await import('./keys-commands.ts');
      await exportKeys(config(), file, output);
    });
  keys
    .command('import <file>')
    .description('import exported keys before the first start, and wrap them with SECRETS_KEY')
    .option('--wrapped-by <file>', 'file with the SECRETS_KEY under which they were exported, if it differs')
    .action(async (file: string, { wrappedBy = null }: { wrappedBy?: string | null }) => {
      const { importKeys } = await import('./keys-commands.ts');
      await importKeys(config(), { file, wrappedBy }, output);
    });
};

const BOTH: readonly LogName[] = ['main', 'results'];

const logs = (text: string): readonly LogName[] => {
  if (text === 'main' || text === 'results') return [text];
  throw new InvalidArgumentError('The logs are main and results.');
};
