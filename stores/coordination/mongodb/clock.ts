/** Time for leases: it only runs forward, and nobody sets it. */
export interface Clock {
  /** milliseconds since an arbitrary moment */
  now: () => number;
  /**
   * Calls back after so many milliseconds.
   *
   * @returns a function that cancels it
   */
  after: (milliseconds: number, action: () => void) => () => void;
}

export const monotonicClock: Clock = {
  now: () => performance.now(),
  after: (milliseconds, action) => {
    const timer = setTimeout(action, milliseconds);
    return () => {
      clearTimeout(timer);
    };
  },
};
