import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { startClusterServers } from './cluster-servers.ts';
import { ALL_REGIONS, startOne, type Program } from './program.ts';

/** What one process does at a time while another waits to take over. */
const PAIRS = ['project', 'schedule'] as const;

/** How long until somebody has a lease; the beat of a dead holder is missed for 7 s. Milliseconds. */
const GRANTED_MS = 60_000;

/** A cluster with two processes of each duty that one does at a time. */
export interface PairedCluster {
  api: Program;
  /** what every process gets */
  environment: Record<string, string>;
  /** the process that holds a lease */
  holderOf: (lease: string) => Promise<Program>;
  /** Kills the process that holds a lease and starts another one in its place. @returns the killed one */
  killHolderOf: (lease: string) => Promise<Program>;
  /** Ends all with SIGTERM. @returns their exit codes */
  end: () => Promise<(number | null)[]>;
  /** Kills what still runs, and removes everything. */
  close: () => Promise<void>;
}

export const startPairs = async (own: Record<string, string>): Promise<PairedCluster> => {
  const servers = await startClusterServers();
  const client = new MongoClient(servers.database.url);
  const leases = client.db().collection<{ _id: string; holder: string; held: boolean }>('leases');
  const { PORT = '0', ...shared } = own;
  const environment = { ...servers.environment, ...shared };
  const start = async (duty: string) => ({ duty, program: await startOne([duty], environment) });
  const [api, run, ...paired] = await Promise.all([
    startOne(['api'], { ...environment, PORT }),
    startOne(['run', '--region', ...ALL_REGIONS], environment),
    ...PAIRS.flatMap((duty) => [start(duty), start(duty)]),
  ]);
  let pairs = paired;
  while (!(await fetch(`${api.address}/health/ready`)).ok) await sleep(50);

  const find = async (lease: string) => {
    for (const end = Date.now() + GRANTED_MS; Date.now() < end;) {
      const { holder = '' } = (await leases.findOne({ _id: lease, held: true })) ?? {};
      const found = pairs.find(({ program: { pid } }) => holder.startsWith(`${hostname()}:${pid.toString()}:`));
      if (found) return found;
      await sleep(50);
    }
    throw new Error(`No process has ${lease}.`);
  };
  return {
    api,
    environment,
    holderOf: async (lease) => (await find(lease)).program,
    killHolderOf: async (lease) => {
      const found = await find(lease);
      await found.program.end('SIGKILL');
      const other = await start(found.duty);
      pairs = [...pairs.filter((one) => one !== found), other];
      return found.program;
    },
    end: async () => {
      const all = [api, run, ...pairs.map(({ program }) => program)];
      return (await Promise.all(all.map((program) => program.end('SIGTERM')))).map(({ code }) => code);
    },
    close: async () => {
      for (const { program } of pairs) void program.end('SIGKILL');
      await Promise.all([api, run].map((program) => program.end('SIGKILL')));
      await client.close();
      await servers.stop();
    },
  };
};
