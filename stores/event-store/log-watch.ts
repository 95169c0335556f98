import { setTimeout as sleep } from 'node:timers/promises';
import type { EventStore, LogListener, LogWatch } from './port.ts';

/** Milliseconds before the next subscription to the log, after one has failed. */
const RETRY_MS = 1_000;

export interface LogWatchOptions {
  log: Pick<EventStore, 'subscribe'>;
  /** returns the position of the log's last event, after which reporting begins */
  end: () => Promise<bigint>;
  /** categories of streams whose events are reported */
  categories: readonly string[];
  /** called when the subscription fails; it is retried automatically */
  failed: (error: unknown) => void;
  /** milliseconds before the next attempt */
  retry?: number;
}

/**
 * Reports new events of a log. Uses one subscription for all listeners of this process, and only while there are any.
 */
export const watchLog = ({ log, end, categories, failed, retry = RETRY_MS }: LogWatchOptions): LogWatch => {
  const listeners = new Set<LogListener>();
  let following: { stop: AbortController; ended: Promise<void> } | null = null;

  const follow = async (signal: AbortSignal): Promise<void> => {
    const after = await end();
    for await (const events of log.subscribe({ after, categories, signal })) {
      for (const listener of [...listeners]) listener(events);
    }
  };

  const keepFollowing = async (signal: AbortSignal): Promise<void> => {
    const trouble = (error: unknown): void => {
      if (!signal.aborted) failed(error);
    };
    while (!signal.aborted) {
      await follow(signal).catch(trouble);
      await sleep(retry, undefined, { signal }).catch(() => undefined);
    }
  };

  const begin = () => {
    const stop = new AbortController();
    return { stop, ended: keepFollowing(stop.signal) };
  };

  return {
    listen: (listener) => {
      // Each call to `listen` adds a separate function. So a listener that is added twice is called twice, and each of
      // the two functions can be removed separately.
      const own: LogListener = (events) => {
        listener(events);
      };
      listeners.add(own);
      following ??= begin();
      return async () => {
        listeners.delete(own);
        if (listeners.size > 0 || !following) return;
        const { stop, ended } = following;
        following = null;
        stop.abort();
        await ended;
      };
    },
  };
};
