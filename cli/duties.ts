import type { Command } from 'commander';
import type { Config } from '../service/config/config.ts';
import type { Output } from '../service/output.ts';
import type { Duty } from '../service/plan.ts';
import type { RemoteRunOptions } from '../service/remote-run/settings.ts';
import type { DutyOptions } from '../service/start-duty.ts';
import { version } from '../service/version.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Adds the commands that run the service: `serve` runs all duties in one process, and each other command runs one duty,
 * in any number of processes.
 */
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
    .description('cluster: serve the API and status pages; run any number of them')
    .action(() => start('api'));
  program
    .command('site')
    .description('cluster: serve only status pages, without the API; run any number of them')
    .action(() => start('site'));
  program
    .command('project [names...]')
    .description('cluster: keep all or some read models up to date; several processes take over from one another')
    .action((names: string[]) => start('project', { names }));
  program
    .command('schedule')
    .description('cluster: schedule check runs and other due work; several processes take over from one another')
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

/** Adds the command `run`. It takes runs from the stores of a cluster, or with `--server` from a remote service. */
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
    .description('run checks of a cluster, or of a remote service with --server; run any number of them')
    .option('--region <region...>', 'id or alias of each region; with --server only one, the region of the token')
    .option('--type <type...>', 'run only checks of these types')
    .option('--server <url>', 'URL of the service, for a remote runner, which needs only a token')
    .option('--token <token>', 'token of the remote runner; visible to others in ps, so prefer UPTRAIL_RUNNER_TOKEN')
    .option('--token-file <file>', 'file that contains the token')
    .option('--ca-file <file>', 'file with certificates (PEM) to trust in addition to those of the system')
    .option('--spool <folder>', 'folder that stores results while the service is unreachable')
    .action(({ server, ...options }: RunOptions, command: Command) => {
      if (server !== undefined) return startRemotely({ server, ...options });
      const { region, type } = options;
      const remote = (['token', 'tokenFile', 'caFile', 'spool'] as const).find((name) => options[name] !== undefined);
      if (remote !== undefined) command.error('error: --token, --token-file, --ca-file and --spool require --server');
      if (region === undefined) return command.error("error: required option '--region <region...>' not specified");
      return start({ regions: region, types: type });
    });
};
