/** The clock functions that pages use; tests replace them. */
export interface PageClock {
  /** returns the milliseconds since an arbitrary moment; never decreases */
  monotonic: () => number;
  /** Calls `callback` once after `milliseconds`, unless the returned function cancels it first. */
  after: (milliseconds: number, callback: () => void) => () => void;
}

/** The actual clock. Its timers do not keep the process running. */
export const pageClock: PageClock = {
  monotonic: () => performance.now(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds).unref();
    return () => {
      clearTimeout(timer);
    };
  },
};
