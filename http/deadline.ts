/** Maximum time for a response after the body has arrived, milliseconds: ten seconds with a margin. */
export const RESPONSE_DEADLINE_MS = 9_000;

/**
 * A request exceeded its deadline. Work in progress may still complete; nothing new is started
 * (commands/engine/handle.ts).
 */
export class Overdue extends Error {
  constructor() {
    super('The response exceeded its deadline.');
    this.name = 'Overdue';
  }
}

/** The deadline of a response. Time counts only while the request waits. */
export interface Deadline {
  /**
   * Waits for a promise until the deadline. The work behind the promise is not cancelled.
   *
   * @throws Overdue
   */
  within: <T>(promise: Promise<T>) => Promise<T>;
  /** @throws Overdue the deadline has passed: nothing more must be started */
  check: () => void;
  /** milliseconds until the deadline, 0 after it */
  remaining: () => number;
}

/** Interval of the check for expired waits, milliseconds. */
const CHECK_MS = 100;

interface Wait {
  /** by the monotonic clock, milliseconds */
  until: number;
  over: () => void;
}

/** All waits share one timer, since a timer for each would be a large part of the cost of a fast response. */
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

/** Waits may end up to {@link CHECK_MS} late. */
export const createDeadline = (milliseconds: number): Deadline => {
  let left = milliseconds;
  /** the current wait, which may have expired unnoticed while the process was busy */
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
