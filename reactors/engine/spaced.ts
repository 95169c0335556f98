import type { Round, Work } from './work.ts';

/**
 * Work whose list changes all the time, and that is in no hurry: it is looked at again only after a pause.
 *
 * @param milliseconds between two rounds at least
 */
export const spaced = (work: Work, milliseconds: number): Work => {
  let last: Round | null = null;
  let from = -Infinity;
  return {
    ...work,
    begin: async (shift) => {
      last = null;
      await work.begin(shift);
    },
    round: async (now) => {
      // A clock that was set back holds nothing up.
      if (last && now < from && now >= from - milliseconds) return { ...last, next: from };
      last = await work.round(now);
      from = now + milliseconds;
      return last;
    },
  };
};
