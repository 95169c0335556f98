import type { ReadContext } from '../projections/engine/readers.ts';

/** Events of the log `main` that revoke access and must take effect in every process. */
const TAKEN_EVERYWHERE: readonly string[] = [
  'ApiKeyRevoked',
  'UserRoleChanged',
  'UserRemoved',
  'RunnerRevoked',
  'RunnerTokenConfirmed',
];
/** Events that must take effect in this process. Other processes read sessions again within a second anyway. */
const TAKEN_HERE: readonly string[] = [...TAKEN_EVERYWHERE, 'SessionEnded'];

/** How revocations take effect in the processes that serve requests. */
export interface RevocationEffects {
  /** makes the log `main` up to a position take effect in this process (api/access-decisions.ts) */
  takeEffect: (position: bigint) => unknown;
  /** clears the cache of callers (api/authentication.ts) */
  forget: () => void;
  /** makes the log `main` up to a position take effect in all other processes (service/cluster/revocations.ts) */
  announce: (position: bigint) => Promise<void>;
}

/** The highest position of an event of these types; null: there is none. */
const highest = (appended: ReadContext['appended'], types: readonly string[]): bigint | null => {
  const positions = appended.get('main');
  if (positions === undefined || typeof positions === 'bigint') return null;
  const taken = types.flatMap((type) => positions.get(type) ?? []);
  return taken.reduce<bigint | null>((most, one) => (most === null || one > most ? one : most), null);
};

/**
 * Puts revocations into effect: deleted keys, removed users, changed roles, ended sessions, void tokens of runners.
 * They take effect in this process before the response to the write, and in every other process within two seconds. The
 * events that a request has appended show whether anything was revoked, so routes and handlers need no call for it.
 */
export const createApplyRevocations =
  ({ takeEffect, forget, announce }: RevocationEffects) =>
  async (appended: ReadContext['appended']): Promise<void> => {
    const here = highest(appended, TAKEN_HERE);
    if (here === null) return;
    takeEffect(here);
    forget();
    const everywhere = highest(appended, TAKEN_EVERYWHERE);
    if (everywhere !== null) await announce(everywhere);
  };
