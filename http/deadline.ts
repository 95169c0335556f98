/** Milliseconds that an answer may take, the arrival of the body not counted: ten seconds, with some to spare. */
export const ANSWERED_WITHIN = 9_000;

/** A request was not answered in time; what it asks for may still be done. */
export class Overdue extends Error {
  constructor() {
    super('What the answer depends on takes too long.');
    this.name = 'Overdue';
  }
}

/** The time that is left for an answer; it passes only while something is waited for. */
export interface Deadline {
  /**
   * Waits for a promise for as long as there is time. What it is about goes on all the same.
   *
   * @throws Overdue
   */
  within: <T>(promise: Promise<T>) => Promise<T>;
  /** @throws Overdue the time is over: what has not begun yet is not to begin */
  check: () => void;
}

/** How often it is looked whose time is over, milliseconds. */
const LOOK_MS = 100;

interface Wait {
  /** by the monotonic clock, milliseconds */
  until: number;
  over: () => void;
}

/** All that is waited for: one timer for all, since one for each would be a good part of what a short answer costs. */
const waits = new Set<Wait>();
let looking: NodeJS.Timeout | null = null;

const look = (): void => {
  const now = performance.now();
  for (const wait of waits) {
    if (wait.until > now) continue;
    waits.delete(wait);
    wait.over();
  }
  looking = waits.size > 0 ? setTimeout(look, LOOK_MS) : null;
};

/** A wait that is too long ends up to {@link LOOK_MS} later than it has to. */
export const createDeadline = (milliseconds: number): Deadline => {
  let left = milliseconds;
  return {
    within: (promise) =>
      new Promise((resolve, reject) => {
        const over = (): void => {
          left = 0;
          reject(new Overdue());
        };
        const wait: Wait = { until: performance.now() + left, over };
        waits.add(wait);
        looking ??= setTimeout(look, LOOK_MS);
        const ended = (): void => {
          waits.delete(wait);
          left = Math.max(0, wait.until - performance.now());
        };
        promise.then(ended, ended);
        promise.then(resolve, reject);
      }),
    check: () => {
      if (left <= 0) throw new Overdue();
    },
  };
};
