import { InvalidArgumentError, type Command } from 'commander';
import { parseHead, type LogHead } from '../../domain/log/head.ts';
import type { Config } from '../../service/config/config.ts';
import type { Output } from '../../service/output.ts';
import { interruptionSignal } from '../interruption.ts';

/** Adds the commands with which an auditor can prove that the log was not altered (docs/operate/audit.md). */
export const addAudit = (
  program: Command,
  config: () => Config,
  output: Output,
  exit: (code: number) => void,
): void => {
  const audit = program.command('audit').description('prove that the log was not altered');
  audit
    .command('head')
    .description(
      'show the head of the log main: its number of events, and a hash over all of them; the service may run',
    )
    .option('--json', 'print one JSON object, for tools', false)
    .action(async ({ json }: { json: boolean }) => {
      const { runAuditHead: headHere } = await import('./commands.ts');
      await headHere(config(), { json, signal: interruptionSignal() }, output);
    });
  audit
    .command('verify')
    .description('compare the log main with heads recorded earlier; exits with 1 if they differ')
    .requiredOption(
      '--head <head...>',
      'as shown by audit head or in the service’s log; several heads narrow down the difference',
      heads,
    )
    .option('--json', 'print one JSON object, for tools', false)
    .action(async ({ head, json }: { head: LogHead[]; json: boolean }) => {
      const { runAuditVerify: verifyHeadsHere } = await import('./commands.ts');
      if (!(await verifyHeadsHere(config(), { heads: head, json, signal: interruptionSignal() }, output))) exit(1);
    });
};

const heads = (text: string, before: LogHead[] | undefined): LogHead[] => {
  const head = parseHead(text);
  if (!head) throw new InvalidArgumentError('A head is the number of events, a colon and 64 hexadecimal digits.');
  return [...(before ?? []), head];
};
