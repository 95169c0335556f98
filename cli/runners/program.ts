import type { Command } from 'commander';
import type { Config } from '../../service/config/config.ts';
import type { Output } from '../../service/output.ts';

const JSON_OPTION = ['--json', 'one JSON object a line, for tools', false] as const;

/** `uptrail runner …`: remote runners, which run checks elsewhere and reach the service over HTTPS. */
export const addRunners = (program: Command, config: () => Config, output: Output): void => {
  const runner = program
    .command('runner')
    .description('remote runners: programs elsewhere that run checks of a region');
  const here = () => import('./runners.ts');

  runner
    .command('create')
    .description('create a runner that serves a region for all organizations, and print its token')
    .requiredOption('--region <region>', 'id or alias of the region')
    .option('--name <name>', 'what it is called; without this like the region')
    .option(...JSON_OPTION)
    .action(async (options: { region: string; name?: string; json: boolean }) => {
      await (await here()).createRunnerHere(config(), options, output);
    });
  runner
    .command('list')
    .description('list the runners of all organizations, the oldest first')
    .option(...JSON_OPTION)
    .action(async (options: { json: boolean }) => {
      await (await here()).listRunnersHere(config(), options, output);
    });
  runner
    .command('rotate <id>')
    .description('print a new token; the one in use works until the new one is used, at most a day')
    .option(...JSON_OPTION)
    .action(async (id: string, options: { json: boolean }) => {
      await (await here()).rotateRunnerHere(config(), { id, ...options }, output);
    });
  runner
    .command('revoke <id>')
    .description('refuse a runner from now on; its region stays remote')
    .action(async (id: string) => {
      await (await here()).revokeRunnerHere(config(), { id }, output);
    });
  runner
    .command('release <region>')
    .description('give a region whose runners are revoked back to the built-in runner')
    .option('--revoke', 'revoke its runners first', false)
    .action(async (region: string, options: { revoke: boolean }) => {
      await (await here()).releaseRegionHere(config(), { region, ...options }, output);
    });
};
