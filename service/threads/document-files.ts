import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { createMutex } from '../../domain/concurrency/mutex.ts';

export interface DocumentFilesOptions<Content> {
  /** creates a file */
  make: (content: Content) => Promise<Uint8Array>;
  /** maximum number of cached files */
  mostCached: number;
}

/**
 * Creates files one at a time, because each one uses a processor for a fraction of a second. If the same file is
 * requested again concurrently or soon after, the requests share one creation.
 */
export const createDocumentFiles = <Content>({ make, mostCached }: DocumentFilesOptions<Content>) => {
  const cache = new LRUCache<string, Promise<Uint8Array>>({ max: mostCached });
  const serialized = createMutex();
  return async (content: Content): Promise<Uint8Array> => {
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
