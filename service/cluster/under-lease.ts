import { setTimeout as sleep } from 'node:timers/promises';
import type { Coordination } from '../../stores/coordination/port.ts';

/** Milliseconds to wait before another attempt to acquire a lease. */
const RETRY_MS = 1_000;

export interface UnderLeaseOptions {
  coordination: Pick<Coordination, 'acquire'>;
  /** name of the lease */
  name: string;
  /** aborts to end the work and the attempts to acquire the lease */
  signal: AbortSignal;
  /** called when an attempt to acquire the lease fails; another attempt follows */
  trouble: (error: unknown) => void;
}

/**
 * Runs work while this process holds a lease, so that only one process does the work at a time. If the lease is lost,
 * acquires the lease again, and then runs the work again.
 *
 * @param work its signal aborts when the lease is lost. An error of the work rejects the returned promise
 */
export const runUnderLease = async (
  { coordination, name, signal, trouble }: UnderLeaseOptions,
  work: (over: AbortSignal) => Promise<void>,
): Promise<void> => {
  while (!signal.aborted) {
    const lease = await coordination.acquire(name, signal).catch((error: unknown) => {
      if (!signal.aborted) trouble(error);
      return null;
    });
    if (!lease) {
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
      continue;
    }
    try {
      await work(AbortSignal.any([signal, lease.lost]));
    } finally {
      // If the lease can't be released, it expires by itself.
      await lease.release().catch(() => undefined);
    }
  }
};

/** Resolves when a signal aborts. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else {
      signal.addEventListener('abort', () => {
        resolve();
      });
    }
  });
