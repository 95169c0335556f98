/** Minimum backoff if the service sent no `retry`, and maximum backoff, in milliseconds. */
const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

/**
 * Returns the delay before a stream is reopened, in milliseconds: exponential backoff with jitter.
 *
 * @param failures number of failed attempts since the stream was last open
 * @param retry the `retry` value of the stream in milliseconds; null: none
 * @param chance random number from 0 to 1
 */
export const backoffDelay = (failures: number, retry: number | null, chance: number): number =>
  Math.min(LONGEST_MS, (retry ?? FIRST_MS) * 2 ** Math.min(failures, 10)) * (0.5 + chance / 2);
