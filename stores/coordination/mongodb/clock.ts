/** Time as leases see it: it only runs forward, and nobody sets it. */
export interface Clock {
  /** milliseconds since any moment */
  now: () => number;
  /**
   * Does something after so many milliseconds.
   *
   * @returns what keeps it from being done
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
