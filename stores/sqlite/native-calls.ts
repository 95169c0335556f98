import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';

/**
 * When a process exits, Node.js stops its threads, whatever they are doing. A function of @photostructure/sqlite that
 * is running in such a thread can't throw an error any more. Instead, the process ends with SIGABRT and a core dump. So
 * when the process exits, this module prevents new calls, and waits for pending ones.
 */

/**
 * Maximum time that an exiting process waits for the calls of its threads, in milliseconds. Only a hanging call takes
 * longer.
 */
const PATIENCE_MS = 2_000;

/** Key under which the environment data for threads contains the shared numbers. */
const SHARED = 'uptrail.native-calls';

/**
 * Indexes of the shared numbers. The number at `EXITING` is 1 if the process is exiting, otherwise 0. The number at
 * `INSIDE` is the number of threads inside a call.
 */
const EXITING = 0;
const INSIDE = 1;

const own = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));

const numbers = isMainThread ? own : ((getEnvironmentData(SHARED) as Int32Array | undefined) ?? own);

/** Prevents new calls, and waits until no thread is inside a call. */
const stopThreads = (): void => {
  Atomics.store(numbers, EXITING, 1);
  const deadline = performance.now() + PATIENCE_MS;
  for (let inside; (inside = Atomics.load(numbers, INSIDE)) > 0;) {
    const left = deadline - performance.now();
    if (left <= 0) return;
    Atomics.wait(numbers, INSIDE, inside, left);
  }
};

if (isMainThread) {
  setEnvironmentData(SHARED, numbers);
  process.on('exit', stopThreads);
}

let depth = 0;

/** Runs a call of the package. Calls may be nested. Never returns in a thread of an exiting process. */
export const nativeCall = <Result>(call: () => Result): Result => {
  if (isMainThread || depth > 0) return call();
  enter();
  depth++;
  try {
    return call();
  } finally {
    depth--;
    leave();
  }
};

const enter = (): void => {
  Atomics.add(numbers, INSIDE, 1);
  if (Atomics.load(numbers, EXITING) === 0) return;
  leave();
  // Waits until the process ends.
  Atomics.wait(numbers, EXITING, 1);
};

const leave = (): void => {
  Atomics.sub(numbers, INSIDE, 1);
  Atomics.notify(numbers, INSIDE);
};
