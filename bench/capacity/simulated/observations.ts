/** Observed runs during the measured period of a simulation. */
export interface Observations {
  /** whether the measured period is running */
  measuring: boolean;
  /** number of stored results */
  stored: number;
  /** runs that have no result, by reason */
  lost: Record<string, number>;
  /** milliseconds from when runs were due until the requests to their targets */
  lateness: number[];
}

export const createObservations = (): Observations => ({
  measuring: false,
  stored: 0,
  lost: {},
  lateness: [],
});

/** Counts runs without a result. */
export const countLost = (observations: Observations, reason: string, runs = 1): void => {
  if (observations.measuring) observations.lost[reason] = (observations.lost[reason] ?? 0) + runs;
};
