import type { ReportContent } from '../../domain/report/content.ts';
import type { ReportFormat } from '../../domain/report/events.ts';
import { startThread } from '../../stores/thread.ts';

export interface ReportThreadData {
  content: ReportContent;
  format: ReportFormat;
}

/** Half a year of a thousand checks takes a third of it. */
const MEMORY_MIB = 512;

/**
 * Makes the file of a report in a thread of its own, which ends with it: it may take a processor for seconds, and what
 * it took is given back.
 *
 * @throws Error the thread failed, or the signal aborted
 */
export const reportFile = async (
  content: ReportContent,
  format: ReportFormat,
  signal: AbortSignal,
): Promise<Uint8Array> => {
  signal.throwIfAborted();
  const workerData: ReportThreadData = { content, format };
  const thread = startThread('./report-thread', import.meta.url, {
    workerData,
    name: 'report',
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MIB },
  });
  const end = (): void => void thread.terminate();
  signal.addEventListener('abort', end);
  try {
    return await new Promise<Uint8Array>((resolve, reject) => {
      thread.once('message', resolve);
      thread.once('error', reject);
      thread.once('exit', () => {
        reject(new Error('The thread that made the report ended before it had made it.'));
      });
    });
  } finally {
    signal.removeEventListener('abort', end);
    await thread.terminate();
  }
};
