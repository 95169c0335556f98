import type { LeaderMark } from './leadership.ts';

/** Maximum age of a valid leader mark (leadership.ts), in milliseconds. An older mark was left by a crashed tab. */
const FRESH_MS = 15_000;

/** Opens the leader mark in the browser's storage. If storage is disabled, no tab ever finds a mark. */
export const openLeaderMark = (name: string): LeaderMark => {
  const attempt = <T>(work: () => T): T | undefined => {
    try {
      return work();
    } catch {
      return undefined;
    }
  };
  return {
    set: () => {
      attempt(() => {
        localStorage.setItem(name, Date.now().toString());
      });
    },
    remove: () => {
      attempt(() => {
        localStorage.removeItem(name);
      });
    },
    isFresh: () => Math.abs(Date.now() - Number(attempt(() => localStorage.getItem(name)) ?? 0)) < FRESH_MS,
  };
};
