import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than a new entry takes to store: a few writes that wait for the disk. */
const STEP_MS = 250;

/**
 * Performs work whose duration must not reveal its result: it ends a multiple of a quarter second after its start, even
 * if it fails.
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
