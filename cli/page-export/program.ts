import type { Command } from 'commander';
import type { Config } from '../../service/config/config.ts';
import type { Output } from '../../service/output.ts';
import { interruptionSignal } from '../interruption.ts';

interface ExportArguments {
  watch: boolean;
  includePrivate: boolean;
}

/** Adds the commands for status pages. */
export const addPages = (program: Command, config: () => Config, output: Output): void => {
  program
    .command('pages')
    .description('manage status pages')
    .command('export <subdomain> <folder>')
    .description('export a page as static files, for any static host; the service may run')
    .option('--watch', 'export again after each change', false)
    .option('--include-private', 'also export a page that is hidden or not public', false)
    .action(async (subdomain: string, folder: string, { watch, includePrivate }: ExportArguments) => {
      const { runExportPage: exportPageHere } = await import('./command.ts');
      const signal = watch ? interruptionSignal() : new AbortController().signal;
      await exportPageHere(config(), { subdomain, folder, watch, includePrivate, signal }, output);
    });
};
