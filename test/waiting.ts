/**
 * Waiting in tests. `eventually` waits for something to happen; `within` guards a promise that might never settle; a
 * wait for a duration gets a clock (`network/fake-clock.ts`). The remaining case, a pause of real time, is `realPause`
 * with a reason. The linter refuses any other sleep in a test.
 */
import { setTimeout as sleep } from 'node:timers/promises';

/** Long enough for a busy machine: a test that passes never waits this long. */
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
 * The value of `promise`, or an error that names `what` if it has not settled after `milliseconds`. Nothing is
 * cancelled: the promise continues, and its late rejection is ignored.
 */
export const within = async <T>(milliseconds: number, promise: Promise<T>, what: string): Promise<T> =>
  settledWithin(milliseconds, promise, () => expiry(what, milliseconds));

/**
 * Waits until `condition` returns something truthy, and returns that. It is evaluated immediately, then after 2 ms,
 * then less and less often, but at least every 25 ms. A failed assertion in it means "not yet"; any other error ends
 * the wait.
 *
 * @param options.within time limit in milliseconds, 30 000 by default
 * @param options.what what is waited for, in the error; by default the source of the condition
 * @throws Error after the time limit, with the last failed assertion as its cause
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

/** Turns of the event loop after a pause. */
const TURNS = 50;

/**
 * Lets real time pass, and then the event loop turn, since a busy machine may have blocked it meanwhile. It is for the
 * few tests that need real time: a program killed at a random moment, a slow peer, a quiet period in which a process
 * outside the test must do nothing. `why` gives the reason.
 *
 * @param options.ref whether the pause keeps the process alive, true by default
 */
export const realPause = async (
  milliseconds: number,
  why: string,
  { ref = true }: { ref?: boolean } = {},
): Promise<void> => {
  await sleep(milliseconds, why, { ref });
  for (let turn = 0; turn < TURNS; turn++) await new Promise(setImmediate);
};
