import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The duration of work is extended to a multiple of this number of milliseconds. The number is longer than the slowest
 * usual work, which stores a new entry with a few disk writes.
 */
const STEP_MS = 250;

/**
 * Performs work whose duration must not reveal its result. The returned promise settles at a multiple of 250 ms after
 * the start, even if the work fails.
 */
export const withUniformDuration = async <T>(work: () => Promise<T>): Promise<T> => {
  const began = performance.now();
  try {
    return await work();
  } finally {
    const took = performance.now() - began;
    await sleep(Math.ceil(took / STEP_MS) * STEP_MS - took);
  }
};
