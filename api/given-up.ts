import type { Appending } from '../projections/engine/readers.ts';

/** Events of the log `main` after which somebody may do less than before, in every process. */
const TAKEN_EVERYWHERE: readonly string[] = [
  'ApiKeyRevoked',
  'UserRoleChanged',
  'UserRemoved',
  'RunnerRevoked',
  'RunnerTokenConfirmed',
];
/** Events after which only what this process remembers is wrong: all look sessions up again within a second. */
const TAKEN_HERE: readonly string[] = [...TAKEN_EVERYWHERE, 'SessionEnded'];

/** What takes rights away in the processes that answer requests. */
export interface Taking {
  /** makes the log `main` up to a position count in this process (api/in-effect.ts) */
  takeEffect: (position: bigint) => unknown;
  /** forgets who has called this process (api/authentication.ts) */
  forget: () => void;
  /** tells all other processes that the log `main` up to a position must count (service/cluster/given-up.ts) */
  announce: (position: bigint) => Promise<void>;
}

/** The highest position of what takes rights away; null when nothing does. */
const highest = (appended: Appending['appended'], types: readonly string[]): bigint | null => {
  const positions = appended.get('main');
  if (positions === undefined || typeof positions === 'bigint') return null;
  const taken = types.flatMap((type) => positions.get(type) ?? []);
  return taken.reduce<bigint | null>((most, one) => (most === null || one > most ? one : most), null);
};

/**
 * Gives up what a write has taken from somebody: a key that was deleted, a user who was removed or has another role, a
 * session that was ended, a token of a runner that is void. It counts in this process before the write is answered, and in every other one within two
 * seconds. What a request has appended says whether there is anything, so no route and no handler asks for it.
 */
export const createGivingUp =
  ({ takeEffect, forget, announce }: Taking) =>
  async (appended: Appending['appended']): Promise<void> => {
    const here = highest(appended, TAKEN_HERE);
    if (here === null) return;
    takeEffect(here);
    forget();
    const everywhere = highest(appended, TAKEN_EVERYWHERE);
    if (everywhere !== null) await announce(everywhere);
  };
