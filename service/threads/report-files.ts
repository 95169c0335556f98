import type { ReportContent } from '../../domain/report/content.ts';
import type { ReportFormat } from '../../domain/report/events.ts';
import { fileFromThread } from './single-task-thread.ts';

export interface ReportThreadData {
  content: ReportContent;
  format: ReportFormat;
}

/** Memory limit of the thread, in MiB. A report about half a year of a thousand checks uses a third of this memory. */
const MEMORY_MIB = 512;

const THREAD = { module: './report-thread', base: import.meta.url, name: 'report', memoryMib: MEMORY_MIB };

/**
 * Creates the file of a report.
 *
 * @throws Error the thread failed, or the signal aborted
 */
export const reportFile = (content: ReportContent, format: ReportFormat, signal: AbortSignal): Promise<Uint8Array> => {
  const data: ReportThreadData = { content, format };
  return fileFromThread(THREAD, data, signal);
};
