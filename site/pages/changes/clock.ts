/** What pages need of a clock; tests use another one. */
export interface PageClock {
  /** milliseconds since some moment; never goes back */
  monotonic: () => number;
  /** Calls back once after so many milliseconds, unless the returned function is called first. */
  after: (milliseconds: number, callback: () => void) => () => void;
}

/** Its timers do not keep a process running. */
export const pageClock: PageClock = {
  monotonic: () => performance.now(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds).unref();
    return () => {
      clearTimeout(timer);
    };
  },
};
