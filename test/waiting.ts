/**
 * Functions for waiting in tests. `eventually` waits until a condition is true. `within` limits the time of a promise
 * that might never settle. Tests of durations use a fake clock (`network/fake-clock.ts`). A test that really needs time
 * to pass calls `realPause` with a reason. The linter refuses any other sleep in a test.
 */
import { setTimeout as sleep } from 'node:timers/promises';

/** Default time limit of `eventually`. It is long enough for a busy machine; a passing test never reaches it. */
const PATIENCE_MS = 30_000;
const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 25;

type Falsy = false | 0 | 0n | '' | null | undefined;

const isAssertion = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && error.code === 'ERR_ASSERTION';

const expiry = (what: string, milliseconds: number, cause?: Error): Error =>
  new Error(`Not within ${milliseconds / 1_000} s: ${what}${cause ? `\n${cause.message}` : ''}`, { cause });

const settledWithin = async <T>(milliseconds: number, promise: Promise<T>, error: () => Error): Promise<T> => {
  const settled = new AbortController();
  const expired = sleep(milliseconds, undefined, { signal: settled.signal }).then(() => {
    throw error();
  });
  try {
    return await Promise.race([promise, expired]);
  } finally {
    settled.abort();
    expired.catch(() => undefined);
  }
};

/**
 * Returns the value of `promise`, or throws an error that names `what` if `promise` has not settled after
 * `milliseconds`. The work behind `promise` is not cancelled, and a late rejection is ignored.
 */
export const within = async <T>(milliseconds: number, promise: Promise<T>, what: string): Promise<T> =>
  settledWithin(milliseconds, promise, () => expiry(what, milliseconds));

/**
 * Waits until `condition` returns a truthy value, and returns that value. The condition is evaluated immediately, then
 * after a pause of 2 ms, and then after pauses that grow to 25 ms. A failed assertion in the condition counts as false.
 * Any other error is thrown immediately.
 *
 * @param options.within time limit in milliseconds, 30 000 by default
 * @param options.what text of the error after the time limit; by default the source code of the condition
 * @throws Error after the time limit; its cause is the last failed assertion
 */
export const eventually = async <T>(
  condition: () => T | Promise<T>,
  { within: patience = PATIENCE_MS, what = condition.toString() }: { within?: number; what?: string } = {},
): Promise<Exclude<Awaited<T>, Falsy>> => {
  const end = performance.now() + patience;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 1.5)) {
    let unmet: Error | undefined;
    try {
      const result = condition();
      const left = Math.max(1, end - performance.now());
      const value =
        result instanceof Promise ? await settledWithin(left, result, () => expiry(what, patience)) : result;
      if (value) return value as Exclude<Awaited<T>, Falsy>;
    } catch (error) {
      if (!isAssertion(error)) throw error;
      unmet = error;
    }
    if (performance.now() >= end) throw expiry(what, patience, unmet);
    await sleep(pause);
  }
};

/** Number of iterations of the event loop after a pause. */
const TURNS = 50;

/**
 * Lets real time pass, and then some iterations of the event loop, because a busy machine may have blocked the loop
 * during the pause. Use it only in tests that need real time: those that kill a program at a random moment, have a slow
 * peer, or verify that a process outside the test does nothing for a while. `why` gives the reason.
 *
 * @param options.ref whether the pause keeps the process alive; true by default
 */
export const realPause = async (
  milliseconds: number,
  why: string,
  { ref = true }: { ref?: boolean } = {},
): Promise<void> => {
  await sleep(milliseconds, why, { ref });
  for (let iteration = 0; iteration < TURNS; iteration++) await new Promise(setImmediate);
};
