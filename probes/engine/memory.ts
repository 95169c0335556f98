import { LRUCache } from 'lru-cache';
import type { Clock } from '../../network/clock.ts';

/** What runs keep for later ones, shared by all probe processes of a runner and lost when it ends. */
export interface Memory {
  /** What was remembered under a key; undefined if it was nothing, has expired, or had to make room. */
  recall: (key: string) => Promise<unknown>;
  /**
   * @param value JSON
   * @param seconds how long it is good
   */
  remember: (key: string, value: unknown, seconds: number) => void;
  /**
   * Waits for the caller's turn to ask a server that must be asked slowly: in the order of the calls, with a pause
   * between two turns. When the signal ends it, it rejects with the signal's reason and takes no turn.
   *
   * @param key the server to ask
   */
  turn: (key: string, pauseMs: number, signal: AbortSignal) => Promise<void>;
}

/** Limit of everything remembered, bytes as JSON: about 20,000 scans of TLS servers. */
const MAX_BYTES = 64 * 1024 * 1024;

interface Kept {
  json: string;
  /** by the monotonic clock, milliseconds */
  until: number;
}

/** A memory in this process. The least recently recalled entry makes room. */
export const createMemory = (clock: Pick<Clock, 'monotonic' | 'after'>, maxBytes = MAX_BYTES): Memory => {
  const kept = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    sizeCalculation: ({ json }, key) => json.length + key.length + 1,
  });
  /** Those who wait for the turns after the current one. */
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
    recall: async (key) => {
      const found = kept.get(key);
      if (!found) return undefined;
      if (clock.monotonic() < found.until) return JSON.parse(found.json) as unknown;
      kept.delete(key);
      return undefined;
    },
    remember: (key, value, seconds) => {
      kept.set(key, { json: JSON.stringify(value), until: clock.monotonic() + seconds * 1_000 });
    },
    turn: async (key, pauseMs, signal) => {
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
