/** Longest time for which a run on the grid waits for others to begin with it, milliseconds. */
export const LONGEST_MS = 200;

/** Runs that begin together on average; more would distort each other's response times. */
const TOGETHER = 10;

/** Each step divides the one before, so runs that were given times by different steps still meet. */
const STEPS_MS = [LONGEST_MS, 100, 50, 25, 5, 1];

/**
 * When runs on the grid begin: together, at multiples of a step, since each wake-up costs the scheduler, the worker and
 * the probe process more than a run does. The more runs there are, the shorter is the step.
 */
export const createStartTimes = () => {
  /** of all checks that were added */
  let runsPerSecond = 0;
  let step = LONGEST_MS;

  const count = (runs: number): void => {
    runsPerSecond += runs;
    step = STEPS_MS.find((milliseconds) => (runsPerSecond * milliseconds) / 1_000 <= TOGETHER) ?? 1;
  };

  return {
    /** @param interval of a check, seconds */
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

    /** The time at which a run begins that is due at `slot`: less than 200 ms later. Milliseconds since 1970. */
    of: (slot: number): number => Math.ceil(slot / step) * step,
  };
};
