import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';

/**
 * @photostructure/sqlite ends the process by SIGABRT, with a core file, where a thread is stopped in one of its
 * functions: they can't throw their errors any more. When a process exits, Node.js stops its threads wherever they are.
 * So from then on no thread begins another call, and the process waits for those that have begun.
 */

/** How long an exiting process waits for the calls of its threads, milliseconds; only calls that hang take longer. */
const PATIENCE_MS = 2_000;

/** Key of the environment data by which threads receive the shared numbers. */
const SHARED = 'uptrail.native-calls';

/** Indexes of the shared numbers: 1 once the process exits; count of threads that are in a call. */
const EXITING = 0;
const INSIDE = 1;

const own = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));

const numbers = isMainThread ? own : ((getEnvironmentData(SHARED) as Int32Array | undefined) ?? own);

/** Waits until no thread is in a call, and lets none begin. */
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

/** Runs a call of the package; calls may be nested. In a thread whose process is exiting, it never returns. */
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
  // Until the process has ended.
  Atomics.wait(numbers, EXITING, 1);
};

const leave = (): void => {
  Atomics.sub(numbers, INSIDE, 1);
  Atomics.notify(numbers, INSIDE);
};
