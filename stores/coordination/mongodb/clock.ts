/** A monotonic clock for leases, independent of the system time. */
export interface Clock {
  /** milliseconds since an arbitrary moment */
  now: () => number;
  /**
   * Calls `action` after the given time.
   *
   * @returns a function that cancels the call
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
