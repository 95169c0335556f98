import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';

/**
 * @photostructure/sqlite ends the process with SIGABRT and a core dump if a thread is stopped inside one of its
 * functions, since these can no longer throw their errors. When a process exits, Node.js stops its threads wherever
 * they are. So from then on no thread begins another call, and the process waits for pending calls.
 */

/** How long an exiting process waits for the calls of its threads, milliseconds; only hanging calls take longer. */
const PATIENCE_MS = 2_000;

/** Key of the environment data that passes the shared numbers to threads. */
const SHARED = 'uptrail.native-calls';

/** Indexes of the shared numbers: 1 once the process exits; number of threads inside a call. */
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

/** Runs a call of the package; calls may be nested. In a thread of an exiting process, it never returns. */
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
