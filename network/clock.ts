/** The time, as everything in runners/ receives it. */
export interface Clock {
  /** milliseconds since 1970, by the wall clock */
  now: () => number;
  /** milliseconds since some moment; never goes back */
  monotonic: () => number;
  /** Calls back once after so many milliseconds, unless the returned function is called first. */
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
