import { isIP } from 'node:net';
import type { Resolve } from './resolve.ts';

/**
 * Looks up so many names at a time; others wait for their turn. The system's look-up takes a thread as long as it lasts,
 * so names that nobody answers for must not take all of those of the process.
 */
export const resolveFew = (resolve: Resolve, atOnce: number): Resolve => {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  return async (host) => {
    if (isIP(host) !== 0) return resolve(host);
    if (underWay >= atOnce) await new Promise<void>((begin) => waiting.push(begin));
    else underWay += 1;
    try {
      return await resolve(host);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else underWay -= 1;
    }
  };
};
