/** Source of the current time. Code receives a clock as an argument instead of reading the system's time. */
export interface Clock {
  /** milliseconds since 1970, by the wall clock */
  now: () => number;
  /** milliseconds since an arbitrary start; never decreases */
  monotonic: () => number;
  /** Calls `callback` one time, after this many milliseconds. The returned function cancels the call. */
  after: (milliseconds: number, callback: () => void) => () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds);
    return () => {
      clearTimeout(timer);
    };
  },
};
