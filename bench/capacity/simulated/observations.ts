/** Observations of runs during the measured period of a simulation. */
export interface Observations {
  /** whether the measured period is running */
  measuring: boolean;
  /** number of stored results */
  stored: number;
  /** number of runs without a result, by reason */
  lost: Record<string, number>;
  /** for each run, milliseconds from its due time until the request to its target */
  lateness: number[];
}

export const createObservations = (): Observations => ({
  measuring: false,
  stored: 0,
  lost: {},
  lateness: [],
});

/** Counts runs without a result, during the measured period only. */
export const countLost = (observations: Observations, reason: string, runs = 1): void => {
  if (observations.measuring) observations.lost[reason] = (observations.lost[reason] ?? 0) + runs;
};
