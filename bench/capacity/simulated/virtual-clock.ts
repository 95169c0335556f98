import type { Clock } from '../../../network/clock.ts';
import { createHeap, type Due } from '../../../runners/scheduler/heap.ts';

/** A clock that jumps to the next due timer instead of waiting for it. */
export interface VirtualClock extends Clock {
  /**
   * Advances to a moment of `monotonic`. Runs all timers that are due until then in order, including those that the
   * timers start.
   */
  runUntil: (moment: number) => Promise<void>;
}

interface Timer extends Due {
  callback: () => void;
}

/**
 * Waits until all pending work that does not wait for a timer is done. The next macrotask runs after all settled
 * promises were handled.
 */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Creates a virtual clock. Unlike test/network/fake-clock.ts, it is fast enough for millions of timers.
 *
 * @param start milliseconds since 1970
 */
export const createVirtualClock = (start: number): VirtualClock => {
  const timers = createHeap<Timer>();
  let elapsed = 0;
  return {
    now: () => start + Math.floor(elapsed),
    monotonic: () => elapsed,
    after: (milliseconds, callback) => {
      const timer: Timer = { due: 0, index: -1, callback };
      timers.set(timer, elapsed + Math.max(0, milliseconds));
      return () => {
        timers.remove(timer);
      };
    },
    runUntil: async (moment) => {
      await settled();
      for (let timer = timers.top(); timer && timer.due <= moment; timer = timers.top()) {
        timers.remove(timer);
        elapsed = Math.max(elapsed, timer.due);
        timer.callback();
        await settled();
      }
      elapsed = Math.max(elapsed, moment);
    },
  };
};
