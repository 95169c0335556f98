import { setTimeout as sleep } from 'node:timers/promises';
import type { Coordination } from '../../stores/coordination/port.ts';

/** Pause before another attempt to acquire a lease, milliseconds. */
const RETRY_MS = 1_000;

export interface UnderLeaseOptions {
  coordination: Pick<Coordination, 'acquire'>;
  /** name of the lease */
  name: string;
  /** ends it */
  signal: AbortSignal;
  /** called when an attempt to acquire the lease fails; it is repeated */
  trouble: (error: unknown) => void;
}

/**
 * Runs work while this process holds a lease, so that only one process runs it.
 *
 * @param work its signal aborts when the lease is lost; an error that it throws ends everything
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
      // A lease that can't be released expires.
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
