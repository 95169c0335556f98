import { isIP } from 'node:net';
import { createSemaphore } from '../domain/mutex.ts';
import type { Resolve } from './resolve.ts';

/**
 * Looks up so many names at a time; others wait for their turn. The system's look-up takes a thread as long as it lasts,
 * so names that nobody answers for must not take all of those of the process.
 */
export const resolveFew = (resolve: Resolve, atOnce: number): Resolve => {
  const inTurn = createSemaphore(atOnce);
  return async (host) => (isIP(host) === 0 ? inTurn(() => resolve(host)) : resolve(host));
};
