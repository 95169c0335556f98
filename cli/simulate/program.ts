import type { Command } from 'commander';
import type { Config } from '../../service/config/config.ts';
import type { Output } from '../../service/output.ts';

interface SimulateArguments {
  from: string;
  to?: string;
  organization?: string;
  json: boolean;
}

/** Adds the commands that show what would have happened. */
export const addSimulate = (program: Command, config: () => Config, output: Output): void => {
  program
    .command('simulate')
    .description('show what would have happened; nothing is stored')
    .command('rule <file>')
    .description('list the alerts that a rule would have raised on the stored results; the file is JSON as in the API')
    .requiredOption('--from <time>', 'start of the period (ISO 8601)')
    .option('--to <time>', 'end of the period (ISO 8601; a date includes the whole day); default: now')
    .option('--organization <id>', 'organization of the rule; required for a rule by tag')
    .option('--json', 'print one JSON object a line, for tools', false)
    .action(async (file: string, options: SimulateArguments) => {
      const { runSimulateRule: simulateRuleHere } = await import('./command.ts');
      await simulateRuleHere(config(), { file, ...options }, output);
    });
};
