import { startClusterServers } from './cluster-servers.ts';
import { openLeases } from './leases.ts';
import { ALL_REGIONS, startOne, type RunningProgram } from './program.ts';
import { eventually } from '../waiting.ts';

/** Duties that one process performs while a second process is on standby. */
const PAIRS = ['project', 'schedule'] as const;

/** A cluster with two processes for each duty in `PAIRS`, and one process for each other duty. */
export interface PairedCluster {
  api: RunningProgram;
  /** environment of every process */
  environment: Record<string, string>;
  /** Returns the process that holds a lease. */
  holderOf: (lease: string) => Promise<RunningProgram>;
  /** Kills the process that holds a lease, and starts a replacement. @returns the killed process */
  killHolderOf: (lease: string) => Promise<RunningProgram>;
  /** Ends all processes with SIGTERM. @returns their exit codes */
  end: () => Promise<(number | null)[]>;
  /** Kills the remaining processes, and removes the data. */
  close: () => Promise<void>;
}

export const startPairedCluster = async (own: Record<string, string>): Promise<PairedCluster> => {
  const servers = await startClusterServers();
  const leases = openLeases(servers.database.url);
  const { PORT = '0', ...shared } = own;
  const environment = { ...servers.environment, ...shared };
  const start = async (duty: string) => ({ duty, program: await startOne([duty], environment) });
  const [api, run, ...paired] = await Promise.all([
    startOne(['api'], { ...environment, PORT }),
    startOne(['run', '--region', ...ALL_REGIONS], environment),
    ...PAIRS.flatMap((duty) => [start(duty), start(duty)]),
  ]);
  let pairs = paired;
  await eventually(async () => (await fetch(`${api.address}/health/ready`)).ok, { within: 60_000 });

  const holderOf = (lease: string): Promise<RunningProgram> =>
    leases.holderOf(
      lease,
      pairs.map(({ program }) => program),
    );
  return {
    api,
    environment,
    holderOf,
    killHolderOf: async (lease) => {
      const killed = await holderOf(lease);
      await killed.end('SIGKILL');
      pairs = await Promise.all(pairs.map(async (one) => (one.program === killed ? start(one.duty) : one)));
      return killed;
    },
    end: async () => {
      const all = [api, run, ...pairs.map(({ program }) => program)];
      return (await Promise.all(all.map((program) => program.end('SIGTERM')))).map(({ code }) => code);
    },
    close: async () => {
      for (const { program } of pairs) void program.end('SIGKILL');
      await Promise.all([api, run].map((program) => program.end('SIGKILL')));
      await leases.close();
      await servers.stop();
    },
  };
};
