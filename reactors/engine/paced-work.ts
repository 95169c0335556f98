import type { Round, Work } from './work.ts';

/**
 * Limits how often a list that changes constantly is read.
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
      // If the clock was set back, do not wait until it reaches `from` again.
      if (last && now < from && now >= from - milliseconds) return { ...last, next: from };
      last = await work.round(now);
      from = now + milliseconds;
      return last;
    },
  };
};
