import type { Command } from 'commander';
import type { Config } from '../../service/config/config.ts';
import type { Output } from '../../service/output.ts';
import { interruptionSignal } from '../interruption.ts';

interface StatementArguments {
  month?: string;
  pdf?: string;
}

/** Adds the commands for statements of uptime (docs/reference/statements.md). */
export const addStatement = (
  program: Command,
  config: () => Config,
  output: Output,
  exit: (code: number) => void,
): void => {
  const statement = program
    .command('statement <page>')
    .description('print the uptime of all components of a page in a month as JSON; a page has an id and a subdomain')
    // A required option of this command would also be required by its subcommand.
    .option('--month <month>', 'a month in the time zone of the page, such as 2026-10; required')
    .option('--pdf <file>', 'write a new PDF file instead; it has the JSON as an attachment')
    .action(async (page: string, { month, pdf }: StatementArguments, command: Command) => {
      if (month === undefined) command.error("error: required option '--month <month>' not specified");
      const { runStatement } = await import('./command.ts');
      await runStatement(config(), { page, month, pdf: pdf ?? null, signal: interruptionSignal() }, output);
    });
  statement
    .command('verify <file>')
    .description(
      'prove a statement (JSON or PDF) from the log; exits with 0 if it is proven and unchanged, 2 if later edits change it, and 1 if it is not proven',
    )
    .option('--json', 'print one JSON object, for tools', false)
    .option('--without-position', 'do not verify log.position, if the keys that encrypted it are lost', false)
    .action(async (file: string, options: { json: boolean; withoutPosition: boolean }) => {
      const { runVerifyStatement } = await import('./verify-command.ts');
      exit(await runVerifyStatement(config(), { file, ...options, signal: interruptionSignal() }, output));
    });
};
