import type { Round, Work } from './work.ts';

/**
 * Paces the work on a list that changes constantly: reads the list again only after a pause.
 *
 * @param milliseconds the minimum time between two rounds
 */
export const paceWork = (work: Work, milliseconds: number): Work => {
  let last: Round | null = null;
  let from = -Infinity;
  return {
    ...work,
    begin: async (lease) => {
      last = null;
      await work.begin(lease);
    },
    round: async (now) => {
      // A clock that was set back causes no delay.
      if (last && now < from && now >= from - milliseconds) return { ...last, next: from };
      last = await work.round(now);
      from = now + milliseconds;
      return last;
    },
  };
};
