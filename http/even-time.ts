import { setTimeout as sleep } from 'node:timers/promises';

/** Longer than it takes to store what is new: a few writes that wait for the disk. */
const STEP_MS = 250;

/**
 * Does something that must not tell by its time what it found: it ends at a multiple of a quarter second after it
 * began, whether or not it fails.
 */
export const inEvenTime = async <T>(work: () => Promise<T>): Promise<T> => {
  const began = performance.now();
  try {
    return await work();
  } finally {
    const took = performance.now() - began;
    await sleep(Math.ceil(took / STEP_MS) * STEP_MS - took);
  }
};
