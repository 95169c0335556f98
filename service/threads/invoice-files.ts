import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { createMutex } from '../../domain/concurrency/mutex.ts';
import type { InvoiceContent } from '../../domain/payment/invoice-content.ts';
import { fileFromThread } from './single-task-thread.ts';

/** Maximum number of cached files, of some 30 KB each: a file is often opened again. */
const MAX_CACHED = 100;
/** Time limit, milliseconds; a file usually takes a second. */
const LONGEST_MS = 60_000;

const THREAD = { module: './invoice-thread', base: import.meta.url, name: 'invoice', memoryMib: 128 };

const inThread = (content: InvoiceContent): Promise<Uint8Array> =>
  fileFromThread(THREAD, content, AbortSignal.timeout(LONGEST_MS));

/**
 * Makes the PDF files of invoices, one at a time and in a thread, because each uses a processor for a fraction of a
 * second. Concurrent and recent requests for the same file share it.
 *
 * @param make injected by tests
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
      // A later request may succeed.
      if (cache.peek(key) === file) cache.delete(key);
      throw error;
    }
  };
};
