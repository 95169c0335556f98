/** Maximum time between the two keys of a sequence, in milliseconds. */
export const SEQUENCE_MS = 1_500;

export interface Sequence {
  /** the first key was pressed */
  begin: () => void;
  /** whether the next key completes a sequence; called once per key */
  takes: () => boolean;
}

/** Two-key sequences such as `g c`: any key pressed in time after the first one is the second. */
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
