import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { randomInt } from 'node:crypto';
import { LocalFailure } from '../../../network/local-failure.ts';

/** A user id for one sandbox. The group id is the same number. */
export interface Identity {
  uid: number;
  /** Releases the id. Call it when no process and no file has this id any more. */
  release: () => void;
}

interface Range {
  first: number;
  count: number;
}

/**
 * Ranges of user ids for sandboxes. systemd leaves the first range unused (https://systemd.io/UIDS-GIDS). The second is
 * for containers whose user ids end at 65,535.
 */
const RANGES: readonly Range[] = [
  { first: 1_900_000_000, count: 65_536 },
  { first: 64_000, count: 512 },
];

const TRIES = 64;

/** Returns the ids that are mapped in this process's user namespace. The process can switch only to these ids. */
const mapped = (file: string): Range[] =>
  readFileSync(file, 'latin1')
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map(([first = 0, , count = 0]) => ({ first, count }));

const holds = (all: readonly Range[], { first, count }: Range): boolean =>
  all.some((range) => range.first <= first && first + count <= range.first + range.count);

/** Returns the first range that this process can use; null if there is none. */
export const usableRange = (): Range | null => {
  const users = mapped('/proc/self/uid_map');
  const groups = mapped('/proc/self/gid_map');
  return RANGES.find((range) => holds(users, range) && holds(groups, range)) ?? null;
};

/** Returns the user ids that have processes. */
const busy = (): Set<number> => {
  const users = new Set<number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      users.add(statSync(`/proc/${name}`).uid);
    } catch {
      // The process has ended.
    }
  }
  return users;
};

/**
 * Claims a user id that no other sandbox of this machine uses. The claim is an abstract socket: the kernel gives the
 * name of the socket to only one process at a time, and releases the name when that process ends in any way. A process
 * in another network namespace could claim the same id simultaneously. To avoid this, ids are chosen randomly, and ids
 * with processes are not used.
 *
 * @throws LocalFailure if there is no free id
 */
export const claimIdentity = async (): Promise<Identity> => {
  const range = usableRange();
  if (!range) throw new LocalFailure("This process can't switch to any of the user ids for sandboxes.");
  const taken = busy();
  for (let tries = 0; tries < TRIES; tries++) {
    const uid = range.first + randomInt(range.count);
    if (taken.has(uid)) continue;
    const release = await held(`\0uptrail-sandbox-${uid}`);
    if (release) return { uid, release };
  }
  throw new LocalFailure('No user id is free for another sandbox.');
};

/** Claims the name of an abstract socket. @returns a function that releases the name; null if the name is in use */
const held = (name: string): Promise<(() => void) | null> =>
  new Promise((resolve) => {
    const server = createServer((socket) => {
      socket.destroy();
    });
    server.unref();
    server.once('error', () => {
      resolve(null);
    });
    server.listen(name, () => {
      resolve(() => {
        server.close();
      });
    });
  });
