/**
 * Maximum time for a response after the body of the request has arrived, in milliseconds. Documented as ten seconds;
 * one second is a margin.
 */
export const RESPONSE_DEADLINE_MS = 9_000;

/**
 * A request exceeded its deadline. Work in progress may still complete, but no further work is started
 * (commands/engine/handle.ts).
 */
export class Overdue extends Error {
  constructor() {
    super('The response exceeded its deadline.');
    this.name = 'Overdue';
  }
}

/** The deadline of a response. Only the time in which the request waits for a promise counts towards the deadline. */
export interface Deadline {
  /**
   * Waits for a promise until the deadline. If the deadline passes, the work behind the promise continues.
   *
   * @throws Overdue
   */
  within: <T>(promise: Promise<T>) => Promise<T>;
  /**
   * Must be called before further work starts.
   *
   * @throws Overdue the deadline has passed
   */
  check: () => void;
  /** returns the milliseconds until the deadline; 0 after the deadline */
  remaining: () => number;
}

/** Interval between two searches for expired waits, in milliseconds. */
const CHECK_MS = 100;

interface Wait {
  /** end of the wait, in milliseconds of the monotonic clock */
  until: number;
  over: () => void;
}

/**
 * All waits. They share one timer, because a timer for each wait would be a large part of the cost of a fast response.
 */
const waits = new Set<Wait>();
let timer: NodeJS.Timeout | null = null;

const checkWaits = (): void => {
  const now = performance.now();
  for (const wait of waits) {
    if (wait.until > now) continue;
    waits.delete(wait);
    wait.over();
  }
  timer = waits.size > 0 ? setTimeout(checkWaits, CHECK_MS) : null;
};

/** Creates a deadline. {@link Overdue} may be thrown up to {@link CHECK_MS} late. */
export const createDeadline = (milliseconds: number): Deadline => {
  let left = milliseconds;
  /** the current wait; it may have expired already, if the process was too busy to notice */
  let current: Wait | null = null;
  const remaining = (): number => Math.max(0, current === null || left <= 0 ? left : current.until - performance.now());
  return {
    within: (promise) =>
      new Promise((resolve, reject) => {
        const over = (): void => {
          left = 0;
          reject(new Overdue());
        };
        const wait: Wait = { until: performance.now() + left, over };
        waits.add(wait);
        current = wait;
        timer ??= setTimeout(checkWaits, CHECK_MS);
        const ended = (): void => {
          waits.delete(wait);
          if (current === wait) current = null;
          left = Math.max(0, wait.until - performance.now());
        };
        const first =
          <A>(settle: (value: A) => void) =>
          (value: A): void => {
            ended();
            settle(value);
          };
        promise.then(first(resolve), first(reject));
      }),
    check: () => {
      if (remaining() <= 0) throw new Overdue();
    },
    remaining: remaining,
  };
};
