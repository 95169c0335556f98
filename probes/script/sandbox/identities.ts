import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { randomInt } from 'node:crypto';
import { LocalFailure } from '../../../network/local-failure.ts';

/** A user id for one sandbox, which is also its group id. */
export interface Identity {
  uid: number;
  /** Releases it, when no process and no file of it is left. */
  release: () => void;
}

interface Range {
  first: number;
  count: number;
}

/**
 * Ranges of user ids for sandboxes. The first is one that systemd leaves unused (https://systemd.io/UIDS-GIDS), the
 * second is for containers whose user ids end at 65,535.
 */
const RANGES: readonly Range[] = [
  { first: 1_900_000_000, count: 65_536 },
  { first: 64_000, count: 512 },
];

const TRIES = 64;

/** The user ids that this process can switch to: those mapped in its user namespace. */
const mapped = (file: string): Range[] =>
  readFileSync(file, 'latin1')
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map(([first = 0, , count = 0]) => ({ first, count }));

const holds = (all: readonly Range[], { first, count }: Range): boolean =>
  all.some((range) => range.first <= first && first + count <= range.first + range.count);

/** The range that is usable here; null: none. */
export const usableRange = (): Range | null => {
  const users = mapped('/proc/self/uid_map');
  const groups = mapped('/proc/self/gid_map');
  return RANGES.find((range) => holds(users, range) && holds(groups, range)) ?? null;
};

/** The user ids that have processes. */
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
 * Claims a user id that no other sandbox of this machine uses. The claim is the name of an abstract socket, which the
 * kernel grants to one process at a time and releases when that process ends in any way. A process in another network
 * namespace could claim the same id simultaneously, so ids are chosen randomly, and never those with processes.
 *
 * @throws LocalFailure there is none
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

/** @returns releases the name; null: it is in use */
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
