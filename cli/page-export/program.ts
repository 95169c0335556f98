import type { Command } from 'commander';
import type { Config } from '../../service/config/config.ts';
import type { Output } from '../../service/output.ts';
import { interrupted } from '../interrupted.ts';

interface ExportArguments {
  watch: boolean;
  includePrivate: boolean;
}

/** The commands for status pages. */
export const addPages = (program: Command, config: () => Config, output: Output): void => {
  program
    .command('pages')
    .description('status pages')
    .command('export <subdomain> <folder>')
    .description('write a page with all that belongs to it as plain files, for any static host; the service may run')
    .option('--watch', 'go on with each change', false)
    .option('--include-private', 'also a page that is hidden, or not for everybody', false)
    .action(async (subdomain: string, folder: string, { watch, includePrivate }: ExportArguments) => {
      const { exportPageHere } = await import('./here.ts');
      const signal = watch ? interrupted() : new AbortController().signal;
      await exportPageHere(config(), { subdomain, folder, watch, includePrivate, signal }, output);
    });
};
