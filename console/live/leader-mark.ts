import type { LeaderMark } from './leadership.ts';

/** An older mark was left by a crashed tab, in milliseconds. */
const FRESH_MS = 15_000;

/** A mark in the browser's storage. If storage is disabled, there is never one. */
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
