import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { randomInt } from 'node:crypto';
import { OwnTrouble } from '../../../network/own-trouble.ts';

/** A user of a sandbox's own, which is also its group. */
export interface Identity {
  uid: number;
  /** Gives it back, when no process and no file of it is left. */
  release: () => void;
}

interface Range {
  first: number;
  count: number;
}

/**
 * Where users of sandboxes are taken from. The first range is what systemd leaves to nobody
 * (https://systemd.io/UIDS-GIDS), the second for containers that have users up to 65,535 only.
 */
const RANGES: readonly Range[] = [
  { first: 1_900_000_000, count: 65_536 },
  { first: 64_000, count: 512 },
];

const TRIES = 64;

/** The users that this process can become: those that the user namespace it is in has. */
const mapped = (file: string): Range[] =>
  readFileSync(file, 'latin1')
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map(([first = 0, , count = 0]) => ({ first, count }));

const holds = (all: readonly Range[], { first, count }: Range): boolean =>
  all.some((range) => range.first <= first && first + count <= range.first + range.count);

/** The range that can be used here; null: this process can become none of them. */
export const usableRange = (): Range | null => {
  const users = mapped('/proc/self/uid_map');
  const groups = mapped('/proc/self/gid_map');
  return RANGES.find((range) => holds(users, range) && holds(groups, range)) ?? null;
};

/** The users that have a process. */
const busy = (): Set<number> => {
  const users = new Set<number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      users.add(statSync(`/proc/${name}`).uid);
    } catch {
      // It has ended.
    }
  }
  return users;
};

/**
 * Takes a user that no other sandbox of this machine has. What holds it is the name of a socket, which the kernel gives
 * to one process at a time and takes back when that ends, however it ends. A process in another network could take
 * the same at the same moment: it is chosen by chance among many, and none that has processes is taken.
 *
 * @throws OwnTrouble there is none
 */
export const claimIdentity = async (): Promise<Identity> => {
  const range = usableRange();
  if (!range) throw new OwnTrouble('This process can not become any of the users that sandboxes run as.');
  const taken = busy();
  for (let tries = 0; tries < TRIES; tries++) {
    const uid = range.first + randomInt(range.count);
    if (taken.has(uid)) continue;
    const release = await held(`\0uptrail-sandbox-${uid}`);
    if (release) return { uid, release };
  }
  throw new OwnTrouble('No user is free for another sandbox.');
};

/** @returns gives the name back; null: somebody has it */
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
