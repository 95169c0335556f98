import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { createMutex } from '../../domain/concurrency/mutex.ts';
import type { InvoiceContent } from '../../domain/payment/invoice-content.ts';
import { fileFromThread } from './single-task-thread.ts';

/** Maximum number of cached files. Each has about 30 KB, and people often open the same file again. */
const MAX_CACHED = 100;
/** Time limit for a file, in milliseconds. A file usually takes a second. */
const LONGEST_MS = 60_000;

const THREAD = { module: './invoice-thread', base: import.meta.url, name: 'invoice', memoryMib: 128 };

const inThread = (content: InvoiceContent): Promise<Uint8Array> =>
  fileFromThread(THREAD, content, AbortSignal.timeout(LONGEST_MS));

/**
 * Creates the PDF files of invoices in a thread, one at a time, because each uses a processor for a fraction of a
 * second. Concurrent and recent requests for the same file share it.
 *
 * @param make creates a file; tests pass their own
 */
export const createInvoiceFiles = (make = inThread): ((content: InvoiceContent) => Promise<Uint8Array>) => {
  const cache = new LRUCache<string, Promise<Uint8Array>>({ max: MAX_CACHED });
  const serialized = createMutex();
  return async (content) => {
    const key = hash('sha256', JSON.stringify(content));
    const known = cache.get(key);
    if (known) return known;
    const file = serialized(() => make(content));
    cache.set(key, file);
    try {
      return await file;
    } catch (error) {
      // A failure is not cached, because a later request may succeed.
      if (cache.peek(key) === file) cache.delete(key);
      throw error;
    }
  };
};
