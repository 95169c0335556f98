/** A monotonic clock for leases, independent of the system time. */
export interface Clock {
  /** milliseconds since an arbitrary moment */
  now: () => number;
  /**
   * Calls back after this many milliseconds.
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
