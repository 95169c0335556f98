import { startThread } from '../../stores/thread.ts';

/** A thread that makes one thing: a file, or texts. */
export interface OneThread {
  /** name of the module of the thread, without its extension: `./report-thread` */
  module: string;
  /** `import.meta.url` of who asks, beside the module */
  base: string;
  /** what is made, as people call it: `report` */
  name: string;
  memoryMib: number;
}

/** Makes a file in a thread of its own. @throws Error the thread failed, or the signal aborted */
export const fileFromThread = (thread: OneThread, workerData: unknown, signal: AbortSignal): Promise<Uint8Array> =>
  madeByThread<Uint8Array>(thread, workerData, signal);

/**
 * Makes something in a thread of its own, which ends with it: it may take a processor for seconds, and what it took is
 * given back.
 *
 * @param workerData what it is made of
 * @returns the thread's only message
 * @throws Error the thread failed, or the signal aborted
 */
export const madeByThread = async <Made>(
  { module, base, name, memoryMib }: OneThread,
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
        reject(new Error(`The thread that made the ${name} ended before it had made it.`));
      });
    });
  } finally {
    signal.removeEventListener('abort', end);
    await thread.terminate();
  }
};
