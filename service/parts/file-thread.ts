import { startThread } from '../../stores/thread.ts';

/** What a thread makes a file of. */
export interface FileThread {
  /** name of the module of the thread, without its extension: `./report-thread` */
  module: string;
  /** `import.meta.url` of who asks, beside the module */
  base: string;
  /** what is made, as people call it: `report` */
  name: string;
  memoryMib: number;
}

/**
 * Makes a file in a thread of its own, which ends with it: it may take a processor for seconds, and what it took is
 * given back.
 *
 * @param workerData what the file says
 * @throws Error the thread failed, or the signal aborted
 */
export const fileFromThread = async (
  { module, base, name, memoryMib }: FileThread,
  workerData: unknown,
  signal: AbortSignal,
): Promise<Uint8Array> => {
  signal.throwIfAborted();
  const thread = startThread(module, base, {
    workerData,
    name,
    resourceLimits: { maxOldGenerationSizeMb: memoryMib },
  });
  const end = (): void => void thread.terminate();
  signal.addEventListener('abort', end);
  try {
    return await new Promise<Uint8Array>((resolve, reject) => {
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
