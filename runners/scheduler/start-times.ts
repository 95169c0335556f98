/** Maximum time that a scheduled run waits to start together with others, milliseconds. */
export const MAX_WAIT_MS = 200;

/** Average number of runs that start together; more would distort each other's response times. */
const TOGETHER = 10;

/** Each step is divided by the next, so that runs scheduled with different steps still coincide. */
const STEPS_MS = [MAX_WAIT_MS, 100, 50, 25, 5, 1];

/**
 * Start times of scheduled runs: together, at multiples of a step, because each wake-up costs the scheduler, the worker
 * and the probe process more than a run does. The more runs there are, the shorter is the step.
 */
export const createStartTimes = () => {
  /** of all added checks */
  let runsPerSecond = 0;
  let step = MAX_WAIT_MS;

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

    /** The start time of a run due at `slot`: less than 200 ms later. Milliseconds since 1970. */
    of: (slot: number): number => Math.ceil(slot / step) * step,
  };
};
