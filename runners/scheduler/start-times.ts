/** Maximum time in milliseconds that a scheduled run waits to be started together with others. */
export const MAX_WAIT_MS = 200;

/** Average number of runs that start together. More runs at once would distort each other's response times. */
const TOGETHER = 10;

/**
 * Possible steps. Each step is a multiple of the next one in the list, so that start times coincide even if steps
 * differ.
 */
const STEPS_MS = [MAX_WAIT_MS, 100, 50, 25, 5, 1];

/**
 * Computes the start times of scheduled runs. Runs start together, at multiples of a step, because waking up the
 * scheduler, the worker and the probe process costs more than a run. The more runs there are, the shorter the step is.
 */
export const createStartTimes = () => {
  /** total of all added checks */
  let runsPerSecond = 0;
  let step = MAX_WAIT_MS;

  const count = (runs: number): void => {
    runsPerSecond += runs;
    step = STEPS_MS.find((milliseconds) => (runsPerSecond * milliseconds) / 1_000 <= TOGETHER) ?? 1;
  };

  return {
    /** Adds a check. @param interval interval of the check in seconds */
    add: (interval: number): void => {
      count(1 / interval);
    },

    remove: (interval: number): void => {
      count(-1 / interval);
    },

    clear: (): void => {
      runsPerSecond = 0;
      count(0);
    },

    /** Returns the start time of a run that is due at `slot`: less than 200 ms later. Milliseconds since 1970. */
    of: (slot: number): number => Math.ceil(slot / step) * step,
  };
};
