import { hostname } from 'node:os';
import { MongoClient } from 'mongodb';
import type { RunningProgram } from './program.ts';
import { eventually } from '../waiting.ts';

/** Time limit until a process has a lease; it is taken over 7 s after the last beat of a dead holder. Milliseconds. */
const GRANTED_MS = 60_000;

/** The leases of a cluster whose processes run here; `url` is its database's. */
export const openLeases = (url: string) => {
  const client = new MongoClient(url);
  const leases = client.db().collection<{ _id: string; holder: string; held: boolean }>('leases');
  const isHeldBy = (holder: string, { pid }: RunningProgram): boolean => holder.startsWith(`${hostname()}:${pid}:`);
  return {
    /** Names of the leases that a process holds. */
    of: async (program: RunningProgram): Promise<string[]> =>
      (await leases.find({ held: true }).toArray()).flatMap(({ _id, holder }) =>
        isHeldBy(holder, program) ? [_id] : [],
      ),
    /** Waits until one of these processes holds a lease. @returns it */
    holderOf: async (lease: string, among: readonly RunningProgram[]): Promise<RunningProgram> => {
      return eventually(
        async () => {
          const { holder = '' } = (await leases.findOne({ _id: lease, held: true })) ?? {};
          return among.find((program) => isHeldBy(holder, program));
        },
        { within: GRANTED_MS, what: `a process has ${lease}` },
      );
    },
    close: (): Promise<void> => client.close(),
  };
};

export type Leases = ReturnType<typeof openLeases>;
