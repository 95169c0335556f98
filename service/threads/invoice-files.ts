import type { InvoiceContent } from '../../domain/payment/invoice-content.ts';
import { createDocumentFiles } from './document-files.ts';
import { fileFromThread } from './single-task-thread.ts';

/** Maximum number of cached files. Each has about 30 KB, and people often open the same file again. */
const MAX_CACHED = 100;
/** Time limit for a file, in milliseconds. A file usually takes a second. */
const LONGEST_MS = 60_000;

const THREAD = { module: './invoice-thread', base: import.meta.url, name: 'invoice', memoryMib: 128 };

const inThread = (content: InvoiceContent): Promise<Uint8Array> =>
  fileFromThread(THREAD, content, AbortSignal.timeout(LONGEST_MS));

/**
 * Creates the PDF files of invoices in a thread.
 *
 * @param make creates a file; tests pass their own
 */
export const createInvoiceFiles = (make = inThread): ((content: InvoiceContent) => Promise<Uint8Array>) =>
  createDocumentFiles({ make, mostCached: MAX_CACHED });
