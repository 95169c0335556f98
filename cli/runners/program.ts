import type { Command } from 'commander';
import type { Config } from '../../service/config/config.ts';
import type { Output } from '../../service/output.ts';

const JSON_OPTION = ['--json', 'print one JSON object a line, for tools', false] as const;

/** Adds the commands `uptrail runner …`. Remote runners run checks elsewhere and connect to the service over HTTPS. */
export const addRunners = (program: Command, config: () => Config, output: Output): void => {
  const runner = program
    .command('runner')
    .description('manage remote runners, which run the checks of a region elsewhere');
  const here = () => import('./runners.ts');

  runner
    .command('create')
    .description('create a runner that serves a region for all organizations, and print its token')
    .requiredOption('--region <region>', 'id or alias of the region')
    .option('--name <name>', 'name of the runner; default: name of the region')
    .option(...JSON_OPTION)
    .action(async (options: { region: string; name?: string; json: boolean }) => {
      await (await here()).runCreateRunner(config(), options, output);
    });
  runner
    .command('list')
    .description('list the runners of all organizations, oldest first')
    .option(...JSON_OPTION)
    .action(async (options: { json: boolean }) => {
      await (await here()).runListRunners(config(), options, output);
    });
  runner
    .command('rotate <id>')
    .description('print a new token; the present one works until the new one is used, at most for a day')
    .option(...JSON_OPTION)
    .action(async (id: string, options: { json: boolean }) => {
      await (await here()).runRotateRunner(config(), { id, ...options }, output);
    });
  runner
    .command('revoke <id>')
    .description('revoke a runner; its region remains remote')
    .action(async (id: string) => {
      await (await here()).runRevokeRunner(config(), { id }, output);
    });
  runner
    .command('release <region>')
    .description('return a region whose runners are revoked to the built-in runner')
    .option('--revoke', 'revoke its runners first', false)
    .action(async (region: string, options: { revoke: boolean }) => {
      await (await here()).runReleaseRegion(config(), { region, ...options }, output);
    });
};
