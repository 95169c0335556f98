import { isIP } from 'node:net';
import { createSemaphore } from '../domain/concurrency/mutex.ts';
import type { Resolve } from './resolve.ts';

/**
 * Limits the number of concurrent look-ups; further ones wait. A system look-up occupies a thread of the pool until it
 * ends, so unresponsive names must not occupy all of them.
 */
export const limitedResolve = (resolve: Resolve, atOnce: number): Resolve => {
  const inTurn = createSemaphore(atOnce);
  return async (host) => (isIP(host) === 0 ? inTurn(() => resolve(host)) : resolve(host));
};
