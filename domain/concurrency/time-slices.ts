/** Yields to the event loop if the current time slice is used up. Otherwise, returns undefined. */
export type Pause = () => Promise<void> | undefined;

/** Length of a time slice in milliseconds. No work may block other requests for more than 50 ms. */
const SLICE_MS = 10;
/**
 * Divides long work into time slices, so that it does not block other requests. The caller must call the returned
 * function at least every few milliseconds. Code in `domain/` normally must not read the clock. Reading the clock is
 * allowed here, because pauses do not affect the results of the work.
 *
 * @param signal aborted when the result is no longer needed
 * @throws the reason of the signal, at the end of a time slice
 */
export const timeSlices = (signal?: AbortSignal): Pause => {
  let began = performance.now();
  return () => {
    if (performance.now() - began < SLICE_MS) return undefined;
    signal?.throwIfAborted();
    return new Promise<void>((resolve) => {
      setImmediate(() => {
        began = performance.now();
        resolve();
      });
    });
  };
};

/**
 * Number of turns of the event loop from one slice of shared work to the next. A request takes some dozen turns, so it
 * would be delayed by as many slices if each turn contained one.
 */
const TURNS_PER_SLICE = 4;
/**
 * Divides the work of several tasks into time slices, so that they together do not block other requests. In each turn of
 * the event loop, at most one of the tasks works. Otherwise, many tasks that are shorter than a slice would run one after
 * another in the same turn.
 *
 * @returns a function that creates the {@link Pause} of a task; the task must also call it before it begins
 */
export const sharedTimeSlices = (): (() => Pause) => {
  const waiting: (() => void)[] = [];
  let working: Pause | null = null;
  let began = 0;
  const resumeNext = (): void => {
    waiting.shift()?.();
    if (waiting.length > 0) afterTurns(TURNS_PER_SLICE, resumeNext);
  };
  return () => {
    const pause: Pause = () => {
      if (working === pause && performance.now() - began < SLICE_MS) return undefined;
      return new Promise<void>((resolve) => {
        waiting.push(() => {
          working = pause;
          began = performance.now();
          resolve();
        });
        if (waiting.length === 1) afterTurns(TURNS_PER_SLICE, resumeNext);
      });
    };
    return pause;
  };
};

const afterTurns = (turns: number, call: () => void): void => {
  setImmediate(() => {
    if (turns <= 1) call();
    else afterTurns(turns - 1, call);
  });
};

/** Runs a generator to its end in time slices. */
export const inSlices = async <T>(work: Generator<undefined, T>, pause: Pause): Promise<T> => {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    await pause();
  }
};
