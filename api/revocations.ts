import type { ReadContext } from '../projections/engine/readers.ts';

/** Events of the log `main` that revoke access and must take effect in every process. */
const TAKEN_EVERYWHERE: readonly string[] = [
  'ApiKeyRevoked',
  'UserRoleChanged',
  'UserRemoved',
  'RunnerRevoked',
  'RunnerTokenConfirmed',
];
/**
 * Events that must take effect in this process. `SessionEnded` is not announced to other processes, because they read
 * sessions again within a second.
 */
const TAKEN_HERE: readonly string[] = [...TAKEN_EVERYWHERE, 'SessionEnded'];

/** Functions that put revocations into effect in the processes that serve requests. */
export interface RevocationEffects {
  /** Makes all events of `main` up to a position take effect in this process (api/access-decisions.ts). */
  takeEffect: (position: bigint) => unknown;
  /** clears the cache of callers (api/authentication.ts) */
  forget: () => void;
  /**
   * Makes all events of `main` up to a position take effect in all other processes (service/cluster/revocations.ts).
   */
  announce: (position: bigint) => Promise<void>;
}

/** Returns the highest position of an appended event of these types, or null if there is none. */
const highest = (appended: ReadContext['appended'], types: readonly string[]): bigint | null => {
  const positions = appended.get('main');
  if (positions === undefined || typeof positions === 'bigint') return null;
  const taken = types.flatMap((type) => positions.get(type) ?? []);
  return taken.reduce<bigint | null>((most, one) => (most === null || one > most ? one : most), null);
};

/**
 * Creates a function that puts revocations into effect: deleted keys, removed users, changed roles, ended sessions, and
 * revoked runner tokens. Revocations take effect in this process before the response to the write, and in every other
 * process within two seconds. The function examines the events that a request has appended, so handlers need not report
 * revocations.
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
