import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { createMutex } from '../../domain/mutex.ts';
import type { InvoiceContent } from '../../domain/payment/invoice-content.ts';
import { fileFromThread } from './file-thread.ts';

/** Files that are kept, of some 30 KB each: whoever opens one opens it again. */
const MOST_KEPT = 100;
/** One takes a second. */
const LONGEST_MS = 60_000;

const THREAD = { module: './invoice-thread', base: import.meta.url, name: 'invoice', memoryMib: 128 };

const inThread = (content: InvoiceContent): Promise<Uint8Array> =>
  fileFromThread(THREAD, content, AbortSignal.timeout(LONGEST_MS));

/**
 * Makes the files of invoices, PDFs: one at a time, in a thread, since each takes a processor for a part of a second.
 * Whoever asks for one that is being made, or was lately, gets that.
 *
 * @param make injected by tests
 */
export const createInvoiceFiles = (make = inThread): ((content: InvoiceContent) => Promise<Uint8Array>) => {
  const kept = new LRUCache<string, Promise<Uint8Array>>({ max: MOST_KEPT });
  const inTurn = createMutex();
  return async (content) => {
    const key = hash('sha256', JSON.stringify(content));
    const known = kept.get(key);
    if (known) return known;
    const file = inTurn(() => make(content));
    kept.set(key, file);
    try {
      return await file;
    } catch (error) {
      // The next one to ask may have more luck.
      if (kept.peek(key) === file) kept.delete(key);
      throw error;
    }
  };
};
