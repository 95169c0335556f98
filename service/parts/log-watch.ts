import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordedEvent } from '../../domain/event.ts';
import { markLog } from '../../projections/engine/feed/log-marks.ts';
import type { EventStore } from '../../stores/event-store/port.ts';

/** Pause before the log is subscribed to again, milliseconds. */
const RETRY_MS = 1_000;

/** Called with events as they come, in order. */
export type Listener = (events: readonly RecordedEvent[]) => void;

/** What any process appends to a log. */
export interface LogWatch {
  /**
   * Reports what is appended from about now on, except what is appended while the log does not answer.
   *
   * @returns ends it
   */
  listen: (listener: Listener) => () => Promise<void>;
}

export type LogWatches = Readonly<Record<'main' | 'results', LogWatch>>;

export interface LogWatchOptions {
  log: EventStore;
  /** of the streams whose events are reported */
  categories: readonly string[];
  /** called when the log can't be followed; it is tried again */
  failed: (error: unknown) => void;
  /** milliseconds before the next attempt */
  retry?: number;
}

/** Follows a log while anybody in this process listens, with one subscription for all listeners. */
export const watchLog = ({ log, categories, failed, retry = RETRY_MS }: LogWatchOptions): LogWatch => {
  const listeners = new Set<Listener>();
  let following: { stop: AbortController; ended: Promise<void> } | null = null;

  const follow = async (signal: AbortSignal): Promise<void> => {
    const after = await markLog(log, Date.now());
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
      // A new function each time, so a listener added twice is called twice, and ended one at a time.
      const own: Listener = (events) => {
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
