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

export const createDeadline = (milliseconds: number): Deadline => {
  let left = milliseconds;
  return {
    within: async (promise) => {
      const began = performance.now();
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => {
          left = 0;
          reject(new Overdue());
        }, left);
      });
      try {
        return await Promise.race([promise, late]);
      } finally {
        clearTimeout(timer);
        left = Math.max(0, left - (performance.now() - began));
      }
    },
    check: () => {
      if (left <= 0) throw new Overdue();
    },
  };
};
