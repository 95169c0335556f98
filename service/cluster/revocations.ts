import { interval } from 'rxjs';
import type { TakeEffect } from '../../api/key-source.ts';
import { createMutex } from '../../domain/concurrency/mutex.ts';
import type { Entries } from '../../stores/coordination/entries.ts';

/** Interval in which an API process polls for revocations, in milliseconds. */
const POLL_MS = 500;
/**
 * Maximum age of the newest successful poll, in milliseconds. If the newest successful poll is older than this, cached
 * rights are not trusted. Therefore, a revocation takes effect within two seconds.
 */
const FRESH_MS = 1_500;
/**
 * Lifetime of an announcement, in milliseconds. Every reachable process reads the announcement long before the end of
 * this time.
 */
const STAYS_MS = 600_000;

/**
 * Kind and id of the only announcement: the highest position of the log `main` up to which revocations must be applied.
 */
const KIND = 'given_up';
const ID = 'main';

/** Exchanges revocations among the processes of a cluster. */
export interface Revocations {
  /** Tells all processes to apply the log `main` up to a position. */
  announce: (position: bigint) => Promise<void>;
  /** Returns whether this process has polled recently. If not, its cached rights may be outdated. */
  isCurrent: () => boolean;
  stop: () => Promise<void>;
}

export interface RevocationsOptions {
  entries: Pick<Entries, 'get' | 'put'>;
  takeEffect: TakeEffect;
  /** the time that all processes of the cluster share, in milliseconds since 1970 */
  now: () => number;
  /** returns milliseconds; only differences matter */
  monotonic?: () => number;
  /** interval between polls, in milliseconds */
  pollInterval?: number;
}

/** Announces a position, unless a higher one is already announced. */
const raise = async (entries: RevocationsOptions['entries'], position: bigint, now: number): Promise<void> => {
  for (;;) {
    const current = await entries.get(KIND, ID, now);
    if (current && BigInt(current.value) >= position) return;
    const entry = { id: ID, value: position.toString(), owner: null, expires_at: now + STAYS_MS };
    if ((await entries.put(KIND, entry, current?.version ?? null, now)) !== null) return;
  }
};

/**
 * Follows the revocations that other processes announce. The poll is cheap and frequent, so that revoked rights do not
 * stay in effect because of a late read model or a slow store. While polls fail or are late, the read model is not
 * trusted (api/key-source.ts).
 *
 * Resolves after the first poll.
 */
export const followRevocations = async (options: RevocationsOptions): Promise<Revocations> => {
  const { entries, takeEffect, now, monotonic = () => performance.now(), pollInterval = POLL_MS } = options;
  /** when the latest successful poll started */
  let polledAt = -Infinity;
  /** a position that still has to be announced */
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
    // If a poll fails, the next poll reads the same announcement. While polls keep failing, `isCurrent` returns false.
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
