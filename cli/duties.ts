import type { Command } from 'commander';
import type { Config } from '../service/config/config.ts';
import type { Output } from '../service/output.ts';
import type { Duty } from '../service/plan.ts';
import type { RemoteRunOptions } from '../service/remote-run/settings.ts';
import type { DutyOptions } from '../service/start-duty.ts';
import { version } from '../service/version.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The commands that run the service: all of it in one process, or each duty in as many processes as there is work. */
export const addDuties = (
  program: Command,
  config: () => Config,
  { environment, output, exit }: { environment: Environment; output: Output; exit: (code: number) => void },
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
  addRun(program, {
    start: (options) => start('run', options),
    startRemotely: async (options) => {
      const { settingsOfRemoteRun } = await import('../service/remote-run/settings.ts');
      const settings = settingsOfRemoteRun(options, environment);
      const { runRemotely } = await import('../service/remote-run/run.ts');
      exit(await runRemotely(settings, version(), output));
    },
  });
};

type RunOptions = Partial<RemoteRunOptions> & { region?: string[]; type?: string[] };

/** `run` takes runs from the stores of a cluster, or with `--server` from a service elsewhere. */
const addRun = (
  program: Command,
  {
    start,
    startRemotely,
  }: {
    start: (options: DutyOptions) => Promise<void>;
    startRemotely: (options: RemoteRunOptions) => Promise<void>;
  },
): void => {
  program
    .command('run')
    .description('run checks of a cluster, or with --server those of a service elsewhere; any number of them')
    .option('--region <region...>', 'id or alias of each region; with --server of one, which its token is for')
    .option('--type <type...>', 'only checks of these types')
    .option('--server <url>', 'address of the service, where this is a remote runner: it needs nothing but a token')
    .option('--token <token>', 'its token; others can see it in ps, so rather set UPTRAIL_RUNNER_TOKEN')
    .option('--token-file <file>', 'a file with its token')
    .option('--ca-file <file>', 'a file with certificates (PEM) that are trusted besides those of the system')
    .option('--spool <folder>', 'where results wait on disk while the service can not be reached')
    .action(({ server, ...options }: RunOptions, command: Command) => {
      if (server !== undefined) return startRemotely({ server, ...options });
      const { region, type } = options;
      const remote = (['token', 'tokenFile', 'caFile', 'spool'] as const).find((name) => options[name] !== undefined);
      if (remote !== undefined) command.error('error: --token, --token-file, --ca-file and --spool go with --server');
      if (region === undefined) return command.error("error: required option '--region <region...>' not specified");
      return start({ regions: region, types: type });
    });
};
