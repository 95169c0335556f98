/** Waits for a turn of the event loop once a slice of time is used up, else not at all. */
export type Pause = () => Promise<void> | undefined;

/** Milliseconds: well below the 50 that nothing may hold up the requests of others. */
const SLICE = 10;

/**
 * Divides long work into slices, between which other work has its turn. Call it between steps that take a few
 * milliseconds at most. When it pauses changes no result: only for that may it look at the clock.
 *
 * @param signal aborted when nobody waits for the work any more
 * @throws the reason of the signal, at the end of a slice
 */
export const timeSlices = (signal?: AbortSignal): Pause => {
  let began = performance.now();
  return () => {
    if (performance.now() - began < SLICE) return undefined;
    signal?.throwIfAborted();
    return new Promise<void>((resolve) => {
      setImmediate(() => {
        began = performance.now();
        resolve();
      });
    });
  };
};

/** Runs work that is done in steps, in slices. */
export const inSlices = async <T>(work: Generator<undefined, T>, pause: Pause): Promise<T> => {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await pause();
  }
};
