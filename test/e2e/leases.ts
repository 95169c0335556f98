import { hostname } from 'node:os';
import { MongoClient } from 'mongodb';
import type { RunningProgram } from './program.ts';
import { eventually } from '../waiting.ts';

/**
 * Time limit until a process holds a lease, in milliseconds. A takeover happens 7 s after a dead holder has renewed its
 * lease for the last time.
 */
const GRANTED_MS = 60_000;

/** Reads the leases of a cluster whose processes run on this machine. @param url of the MongoDB database */
export const openLeases = (url: string) => {
  const client = new MongoClient(url);
  const leases = client.db().collection<{ _id: string; holder: string; held: boolean }>('leases');
  const isHeldBy = (holder: string, { pid }: RunningProgram): boolean => holder.startsWith(`${hostname()}:${pid}:`);
  return {
    /** Returns the names of the leases that a process holds. */
    of: async (program: RunningProgram): Promise<string[]> =>
      (await leases.find({ held: true }).toArray()).flatMap(({ _id, holder }) =>
        isHeldBy(holder, program) ? [_id] : [],
      ),
    /** Waits until one of the given processes holds a lease. @returns this process */
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
