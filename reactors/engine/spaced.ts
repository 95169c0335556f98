import type { Work } from './loop.ts';

/**
 * Work whose list changes all the time, and that is in no hurry: it is looked at again only after a pause.
 *
 * @param milliseconds between two rounds at least
 */
export const spaced = (work: Work, milliseconds: number): Work => {
  let handled = 0;
  let from = -Infinity;
  return {
    begin: (memory) => {
      handled = memory.handled;
      from = -Infinity;
      work.begin(memory);
    },
    round: async (now, log, signal) => {
      // A clock that was set back holds nothing up.
      if (now < from && now >= from - milliseconds) return { next: from, handled };
      const round = await work.round(now, log, signal);
      handled = round.handled;
      from = now + milliseconds;
      return round;
    },
  };
};
