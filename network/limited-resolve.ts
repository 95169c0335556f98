import { isIP } from 'node:net';
import { createSemaphore } from '../domain/concurrency/mutex.ts';
import type { Resolve } from './resolve.ts';

/**
 * Limits the number of concurrent look-ups; further look-ups wait. A look-up by the system occupies a thread of libuv's
 * pool until the look-up ends. Without a limit, names whose servers do not respond could occupy all threads.
 */
export const limitedResolve = (resolve: Resolve, atOnce: number): Resolve => {
  const inTurn = createSemaphore(atOnce);
  return async (host) => (isIP(host) === 0 ? inTurn(() => resolve(host)) : resolve(host));
};
