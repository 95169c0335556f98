import { setTimeout as sleep } from 'node:timers/promises';
import type { EventStore, LogListener, LogWatch } from './port.ts';

/** Pause before resubscribing to the log, milliseconds. */
const RETRY_MS = 1_000;

export interface LogWatchOptions {
  log: Pick<EventStore, 'subscribe'>;
  /** Position of the log's last event, from which it is followed. */
  end: () => Promise<bigint>;
  /** categories of streams whose events are reported */
  categories: readonly string[];
  /** called when the log can't be followed; the next attempt follows automatically */
  failed: (error: unknown) => void;
  /** milliseconds before the next attempt */
  retry?: number;
}

/** Follows a log while this process has listeners, with one subscription for all of them. */
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
      // A new function each time, so a listener added twice is called twice and can be ended separately.
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
