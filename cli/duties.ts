import type { Command } from 'commander';
import type { Config } from '../service/config/config.ts';
import type { Output } from '../service/output.ts';
import type { Duty } from '../service/plan.ts';
import type { DutyOptions } from '../service/start-duty.ts';

/** The commands that run the service: all of it in one process, or each duty in as many processes as there is work. */
export const addDuties = (
  program: Command,
  config: () => Config,
  output: Output,
  exit: (code: number) => void,
): void => {
  const start = async (duty: Duty, options: DutyOptions = {}): Promise<void> => {
    const { startDuty } = await import('../service/start-duty.ts');
    exit(await startDuty(config(), duty, options, output));
  };

  program
    .command('serve')
    .description('run the whole service until SIGTERM or SIGINT')
    .action(async () => {
      const { serve } = await import('../service/serve.ts');
      exit(await serve(config(), output));
    });
  program
    .command('api')
    .description('cluster: answer requests of the API, and serve status pages; any number of them')
    .action(() => start('api'));
  program
    .command('site')
    .description('cluster: serve status pages alone, without the API; any number of them')
    .action(() => start('site'));
  program
    .command('project [names...]')
    .description('cluster: keep read models up to date, all or some; where several do, one takes over from another')
    .action((names: string[]) => start('project', { names }));
  program
    .command('schedule')
    .description('cluster: start check runs and do what is due; where several do, one takes over from another')
    .action(() => start('schedule'));
  program
    .command('run')
    .description('cluster: run checks; any number of them')
    .requiredOption('--region <region...>', 'id or alias of each region')
    .option('--type <type...>', 'only checks of these types')
    .action(({ region, type }: { region: string[]; type?: string[] }) =>
      start('run', { regions: region, types: type }),
    );
};
