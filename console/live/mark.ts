import type { Mark } from './leadership.ts';

/** A mark that is older is of a tab that has crashed, milliseconds. */
const FRESH_MS = 15_000;

/** A mark in the storage of the browser. Where storage is not allowed, there never is one. */
export const markOf = (name: string): Mark => {
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
