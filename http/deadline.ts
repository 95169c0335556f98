/** Milliseconds that an answer may take, not counting the arrival of the body: ten seconds with a margin. */
export const ANSWERED_WITHIN = 9_000;

/** A request was not answered in time. What has begun may still be done; nothing else of it is (commands/engine/handle.ts). */
export class Overdue extends Error {
  constructor() {
    super('What the answer depends on takes too long.');
    this.name = 'Overdue';
  }
}

/** The time left for an answer; it passes only during waits. */
export interface Deadline {
  /**
   * Waits for a promise while there is time. The work behind it goes on all the same.
   *
   * @throws Overdue
   */
  within: <T>(promise: Promise<T>) => Promise<T>;
  /** @throws Overdue the time is over: nothing more must be begun */
  check: () => void;
  /** milliseconds until the time is over; 0 once it is */
  left: () => number;
}

/** How often expired waits are looked for, milliseconds. */
const LOOK_MS = 100;

interface Wait {
  /** by the monotonic clock, milliseconds */
  until: number;
  over: () => void;
}

/** All waits share one timer, since one for each would be a good part of the cost of a short answer. */
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

/** A wait may end up to {@link LOOK_MS} late. */
export const createDeadline = (milliseconds: number): Deadline => {
  let left = milliseconds;
  /** the wait under way: while the process is busy, it may be over before anybody has looked */
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
        looking ??= setTimeout(look, LOOK_MS);
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
    left: remaining,
  };
};
