/** Seeded random choices, so that a failure can be reproduced. */
export interface Random {
  /** returns a whole number from 0 (inclusive) to `limit` (exclusive) */
  below: (limit: number) => number;
  pick: <T>(choices: readonly T[]) => T;
  /** returns true with a probability of one in `times` */
  oneIn: (times: number) => boolean;
}

/** Creates random choices from a seed, with the generator mulberry32. */
export const randomFrom = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    pick: (choices) => {
      if (choices.length === 0) throw new Error('There is nothing to pick from.');
      return choices[below(choices.length)] as (typeof choices)[number];
    },
    oneIn: (times) => below(times) === 0,
  };
};
