import type { Round, Work } from './work.ts';

/**
 * Work without hurry on a list that changes all the time: the list is read again only after a pause.
 *
 * @param milliseconds the least time between two rounds
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
      // A clock that was set back delays nothing.
      if (last && now < from && now >= from - milliseconds) return { ...last, next: from };
      last = await work.round(now);
      from = now + milliseconds;
      return last;
    },
  };
};
