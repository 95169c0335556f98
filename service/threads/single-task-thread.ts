import { startThread } from '../../stores/thread.ts';

/** A thread that makes one thing: a file or texts. */
export interface ThreadTask {
  /** module name of the thread, without its extension: `./report-thread` */
  module: string;
  /** `import.meta.url` of the module beside it */
  base: string;
  /** what it makes, for messages: `report` */
  name: string;
  memoryMib: number;
}

/** Makes a file in its own thread. @throws Error the thread failed, or the signal aborted */
export const fileFromThread = (thread: ThreadTask, workerData: unknown, signal: AbortSignal): Promise<Uint8Array> =>
  runThread<Uint8Array>(thread, workerData, signal);

/**
 * Makes something in its own thread, which then ends: it may use a processor for seconds, and its memory is freed
 * afterwards.
 *
 * @param workerData the input
 * @returns the thread's only message
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
