import { LRUCache } from 'lru-cache';
import type { Clock } from '../../network/clock.ts';

/** A cache shared by all probe processes of a runner. It is lost when the runner ends. */
export interface RunCache {
  /** Returns the value of a key; undefined if there is none, or if it has expired or was evicted. */
  get: (key: string) => Promise<unknown>;
  /**
   * Stores a value.
   *
   * @param value a JSON value
   * @param seconds time to live, in seconds
   */
  set: (key: string, value: unknown, seconds: number) => void;
  /**
   * Waits until the rate limit of a server allows the caller to query the server. Callers get their slots in the order
   * of the calls, with a pause between two slots. If the signal aborts, rejects with the signal's reason and uses no
   * slot.
   *
   * @param key identifies the server
   * @param pauseMs pause between two slots, in milliseconds
   */
  waitForSlot: (key: string, pauseMs: number, signal: AbortSignal) => Promise<void>;
}

/** Maximum size of the cache as JSON, in bytes: enough for about 20,000 scans of TLS servers. */
const MAX_BYTES = 64 * 1024 * 1024;

interface Kept {
  json: string;
  /** time of expiry, in milliseconds of the monotonic clock */
  until: number;
}

/** Creates a cache in the memory of this process. If it is full, it evicts the least recently used entry. */
export const createRunCache = (clock: Pick<Clock, 'monotonic' | 'after'>, maxBytes = MAX_BYTES): RunCache => {
  const kept = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    sizeCalculation: ({ json }, key) => json.length + key.length + 1,
  });
  /** Callers that wait for a slot, by key. */
  const queues = new Map<string, (() => void)[]>();

  const next = (key: string, queue: (() => void)[], pauseMs: number): void => {
    clock.after(pauseMs, () => {
      const first = queue.shift();
      if (!first) queues.delete(key);
      else {
        next(key, queue, pauseMs);
        first();
      }
    });
  };

  return {
    get: async (key) => {
      const found = kept.get(key);
      if (!found) return undefined;
      if (clock.monotonic() < found.until) return JSON.parse(found.json) as unknown;
      kept.delete(key);
      return undefined;
    },
    set: (key, value, seconds) => {
      kept.set(key, { json: JSON.stringify(value), until: clock.monotonic() + seconds * 1_000 });
    },
    waitForSlot: async (key, pauseMs, signal) => {
      signal.throwIfAborted();
      const queue = queues.get(key);
      if (!queue) {
        const waiting: (() => void)[] = [];
        queues.set(key, waiting);
        next(key, waiting, pauseMs);
        return;
      }
      await new Promise<void>((resolve, reject) => {
        const begin = (): void => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        };
        const onAbort = (): void => {
          queue.splice(queue.indexOf(begin), 1);
          reject(signal.reason as Error);
        };
        signal.addEventListener('abort', onAbort, { once: true });
        queue.push(begin);
      });
    },
  };
};
