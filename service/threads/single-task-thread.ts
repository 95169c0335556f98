import { startThread } from '../../stores/thread.ts';

/** A thread that performs one task, such as creating a file, and then ends. */
export interface ThreadTask {
  /** name of the thread's module, relative to `base` and without its extension: `./report-thread` */
  module: string;
  /** `import.meta.url` of a module in the same folder */
  base: string;
  /** name of the result, for error messages: `report` */
  name: string;
  memoryMib: number;
}

/**
 * Creates a file in a thread of its own.
 *
 * @throws Error the thread failed, or the signal aborted
 */
export const fileFromThread = (thread: ThreadTask, workerData: unknown, signal: AbortSignal): Promise<Uint8Array> =>
  runThread<Uint8Array>(thread, workerData, signal);

/**
 * Performs a task in a thread of its own. The thread ends after the task, which frees its memory. The task may use a
 * processor for seconds.
 *
 * @param workerData the input of the task
 * @returns the only message that the thread sends
 * @throws Error the thread failed, or the signal aborted
 */
export const runThread = async <Made>(
  { module, base, name, memoryMib }: ThreadTask,
  workerData: unknown,
  signal: AbortSignal,
): Promise<Made> => {
  signal.throwIfAborted();
  const thread = startThread(module, base, {
    workerData,
    name,
    resourceLimits: { maxOldGenerationSizeMb: memoryMib },
  });
  const end = (): void => void thread.terminate();
  signal.addEventListener('abort', end);
  try {
    return await new Promise<Made>((resolve, reject) => {
      thread.once('message', resolve);
      thread.once('error', reject);
      thread.once('exit', () => {
        reject(new Error(`The thread for the ${name} ended without a result.`));
      });
    });
  } finally {
    signal.removeEventListener('abort', end);
    await thread.terminate();
  }
};
