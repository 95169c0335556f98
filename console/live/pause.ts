/** The first backoff where the service sent no `retry`, and the longest one, milliseconds. */
const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

/**
 * How long to wait before a stream is opened again, milliseconds: twice as long after each failure, and not at the same
 * time as everybody else.
 *
 * @param failures how many times it could not be opened since it was last open
 * @param retry the `retry` of the stream, milliseconds; null: none was sent
 * @param chance from 0 to 1
 */
export const pauseBefore = (failures: number, retry: number | null, chance: number): number =>
  Math.min(LONGEST_MS, (retry ?? FIRST_MS) * 2 ** Math.min(failures, 10)) * (0.5 + chance / 2);
