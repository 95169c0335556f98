/** Maximum time between the two keys of a sequence, in milliseconds. */
export const SEQUENCE_MS = 1_500;

export interface Sequence {
  /** the first key was pressed */
  begin: () => void;
  /** returns whether the key pressed now is the second of a sequence; called once per key */
  isSecondKey: () => boolean;
}

/**
 * Recognises two-key sequences such as `g c`. Any key pressed within the time limit after the first key counts as the
 * second.
 */
export const createSequence = (now: () => number): Sequence => {
  let begun: number | null = null;
  return {
    begin: () => {
      begun = now();
    },
    isSecondKey: () => {
      const since = begun === null ? Infinity : now() - begun;
      begun = null;
      return since >= 0 && since <= SEQUENCE_MS;
    },
  };
};
