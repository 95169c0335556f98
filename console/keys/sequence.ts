/** How long the second key of a sequence may take, milliseconds. */
export const SEQUENCE_MS = 1_500;

export interface Sequence {
  /** the first key was pressed */
  begin: () => void;
  /** whether the next key completes a sequence; called once per key */
  takes: () => boolean;
}

/** Sequences of two keys, such as `g c`: whatever is pressed in time after the first key is the second one. */
export const createSequence = (now: () => number): Sequence => {
  let begun: number | null = null;
  return {
    begin: () => {
      begun = now();
    },
    takes: () => {
      const since = begun === null ? Infinity : now() - begun;
      begun = null;
      return since >= 0 && since <= SEQUENCE_MS;
    },
  };
};
