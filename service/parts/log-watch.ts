import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordedEvent } from '../../domain/event.ts';
import { markLog } from '../../projections/engine/feed/log-marks.ts';
import type { EventStore } from '../../stores/event-store/port.ts';

/** Before the log is asked for again, milliseconds. */
const RETRY_MS = 1_000;

/** Told of events as they come, in their order. */
export type Listener = (events: readonly RecordedEvent[]) => void;

/** What is appended to a log, whoever does it. */
export interface LogWatch {
  /**
   * Tells of what is appended from about now on. What comes while the log does not answer is not told.
   *
   * @returns ends it
   */
  listen: (listener: Listener) => () => Promise<void>;
}

export type LogWatches = Readonly<Record<'main' | 'results', LogWatch>>;

export interface LogWatchOptions {
  log: EventStore;
  /** of the streams whose events are told */
  categories: readonly string[];
  /** told when the log can't be followed, which is tried again */
  failed: (error: unknown) => void;
  /** milliseconds before it is tried again */
  retry?: number;
}

/** Follows a log for as long as anybody in this process listens, with one subscription for all who do. */
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
      // Another each time, so that who listens twice is told twice, and ends once.
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
