import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import type { RecordedEvent } from '../../domain/event.ts';
import { StoreUnavailable, type SubscribeOptions } from './port.ts';

/** The result of one scan of a log: matching events, and how far the scan got. */
export interface LogScan {
  events: RecordedEvent[];
  /** position up to which the log was searched; at least the position of the last matching event */
  upTo: bigint;
  /** whether `upTo` was the end of the log when the scan began */
  atEnd: boolean;
}

/** Signals that a log has grown. */
export interface LogGrowth {
  /** increases whenever an append is noticed */
  readonly count: number;
  /** Resolves when `count` differs from `seen`, when the log is closed, or when the signal aborts. */
  changed: (seen: number, signal: AbortSignal) => Promise<void>;
  readonly closed: boolean;
}

const LONGEST_PAUSE = 5_000;

/**
 * Yields the events of a log: scans until the end of the log, waits for growth, and scans again. The growth count is
 * read before each scan, so an event that is appended between a scan and the wait is not missed. While the store is
 * unavailable, retries with backoff.
 */
export async function* followLog(
  scan: (after: bigint, categories: readonly string[] | undefined) => Promise<LogScan>,
  growth: LogGrowth,
  { after, categories, signal }: SubscribeOptions,
): AsyncGenerator<RecordedEvent[], void, undefined> {
  let position = after;
  let failures = 0;
  while (!signal.aborted && !growth.closed) {
    const seen = growth.count;
    const found = await scan(position, categories).catch(unlessUnavailable);
    if (found === null) {
      const pause = Math.min(100 * 2 ** failures++, LONGEST_PAUSE) * (0.5 + Math.random());
      await sleep(pause, undefined, { signal }).catch(() => undefined);
      continue;
    }
    failures = 0;
    const isBehind = found.upTo > position && !found.atEnd;
    position = found.upTo;
    if (found.events.length > 0) yield found.events;
    // During a long catch-up, other work of the thread runs after each page.
    if (isBehind) await turn();
    else await growth.changed(seen, signal);
  }
}

const unlessUnavailable = (error: unknown): null => {
  if (error instanceof StoreUnavailable) return null;
  throw error;
};

/**
 * Creates a LogGrowth. The adapter calls `grew` after each append that it notices.
 *
 * @param watch called when the first waiter arrives; returns a function that is called when the last waiter leaves
 */
export const createGrowth = (watch?: () => () => void): LogGrowth & { grew: () => void; close: () => void } => {
  let count = 0;
  let closed = false;
  const waiting = new Set<() => void>();
  let stop: (() => void) | undefined;
  const wake = (): void => {
    for (const resume of [...waiting]) resume();
  };
  return {
    get count() {
      return count;
    },
    get closed() {
      return closed;
    },
    changed: (seen, signal) =>
      new Promise((resolve) => {
        if (count !== seen || closed || signal.aborted) {
          resolve();
          return;
        }
        const resume = (): void => {
          waiting.delete(resume);
          signal.removeEventListener('abort', resume);
          if (waiting.size === 0) stop?.();
          resolve();
        };
        if (waiting.size === 0) stop = watch?.();
        waiting.add(resume);
        signal.addEventListener('abort', resume);
      }),
    grew: () => {
      count++;
      wake();
    },
    close: () => {
      closed = true;
      wake();
    },
  };
};
