/** What is seen of runs while a simulation measures. */
export interface Observations {
  /** whether it measures now */
  measuring: boolean;
  /** results that were stored */
  stored: number;
  /** runs that have no result, by reason */
  lost: Record<string, number>;
  /** milliseconds from when runs were due until their targets were asked */
  lateness: number[];
}

export const createObservations = (): Observations => ({
  measuring: false,
  stored: 0,
  lost: {},
  lateness: [],
});

/** Runs that have no result. */
export const lose = (observations: Observations, reason: string, runs = 1): void => {
  if (observations.measuring) observations.lost[reason] = (observations.lost[reason] ?? 0) + runs;
};
