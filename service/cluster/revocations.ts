import { interval } from 'rxjs';
import type { TakeEffect } from '../../api/key-source.ts';
import { createMutex } from '../../domain/concurrency/mutex.ts';
import type { Entries } from '../../stores/coordination/entries.ts';

/** Interval at which an API process polls for revocations, milliseconds. */
const POLL_MS = 500;
/** Maximum age of the last successful poll, milliseconds. With it, a revocation is in effect within two seconds. */
const FRESH_MS = 1_500;
/** How long an announcement remains, milliseconds: longer than any reachable process takes to read it. */
const STAYS_MS = 600_000;

/** The kind of the only announcement: the highest position of the log `main` that must be in effect. */
const KIND = 'given_up';
const ID = 'main';

/** Revocations announced among the processes of a cluster. */
export interface Revocations {
  /** Tells all processes that the log `main` up to a position must be in effect. */
  announce: (position: bigint) => Promise<void>;
  /** Whether this process has polled recently; otherwise its cached rights may be outdated. */
  isCurrent: () => boolean;
  stop: () => Promise<void>;
}

export interface RevocationsOptions {
  entries: Pick<Entries, 'get' | 'put'>;
  takeEffect: TakeEffect;
  /** the cluster's shared time, milliseconds since 1970 */
  now: () => number;
  /** milliseconds; only differences matter */
  monotonic?: () => number;
  /** milliseconds between polls */
  pollInterval?: number;
}

/** Announces a position. If another process announced a higher one, that one stays. */
const raise = async (entries: RevocationsOptions['entries'], position: bigint, now: number): Promise<void> => {
  for (;;) {
    const current = await entries.get(KIND, ID, now);
    if (current && BigInt(current.value) >= position) return;
    const entry = { id: ID, value: position.toString(), owner: null, expires_at: now + STAYS_MS };
    if ((await entries.put(KIND, entry, current?.version ?? null, now)) !== null) return;
  }
};

/**
 * Follows the revocations announced by other processes. Polling is cheap and frequent, so that a late read model or a
 * slow store never leaves revoked rights in effect. While polls fail or are late, the read model is not trusted
 * (api/key-source.ts).
 *
 * @returns after the first poll
 */
export const followRevocations = async (options: RevocationsOptions): Promise<Revocations> => {
  const { entries, takeEffect, now, monotonic = () => performance.now(), pollInterval = POLL_MS } = options;
  /** start of the last successful poll */
  let polledAt = -Infinity;
  /** a position that could not be announced yet */
  let unannounced: bigint | null = null;

  const announce = async (position: bigint): Promise<void> => {
    unannounced = unannounced === null || position > unannounced ? position : unannounced;
    await raise(entries, position, now());
    if (unannounced === position) unannounced = null;
  };
  const see = async (): Promise<void> => {
    const began = monotonic();
    const announced = await entries.get(KIND, ID, now());
    if (announced) takeEffect(BigInt(announced.value));
    polledAt = began;
    if (unannounced !== null) await announce(unannounced);
  };

  await see();
  const serialized = createMutex();
  let isPolling = false;
  const polling = interval(pollInterval).subscribe(() => {
    if (isPolling) return;
    isPolling = true;
    // The next poll makes up for a failed one; until one succeeds, `isTold` is false.
    void serialized(see)
      .catch(() => undefined)
      .finally(() => (isPolling = false));
  });
  return {
    announce,
    isCurrent: () => monotonic() - polledAt <= FRESH_MS,
    stop: async () => {
      polling.unsubscribe();
      await serialized(async () => undefined);
    },
  };
};
