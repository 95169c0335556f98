import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import type { RecordedEvent } from '../../domain/event.ts';
import { StoreUnavailable, type SubscribeOptions } from './port.ts';

/** One scan of the log: matching events, and how far it got. */
export interface LogScan {
  events: RecordedEvent[];
  /** position up to which the log was searched; at least that of the last event */
  upTo: bigint;
  /** whether that was the end of the log when the scan began */
  atEnd: boolean;
}

/** Signals that a log has grown. */
export interface LogGrowth {
  /** increases with every append that is noticed */
  readonly count: number;
  /** Resolves when `count` differs from `seen`, when the log is closed, or when the signal aborts. */
  changed: (seen: number, signal: AbortSignal) => Promise<void>;
  readonly closed: boolean;
}

const LONGEST_PAUSE = 5_000;

/**
 * Catches up by scanning, then waits for growth. Reads the growth count before each scan, so an event appended between
 * scan and wait is not missed. While the store is unavailable, retries with backoff.
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
    // A long catch-up yields to the thread's other work after each page.
    if (isBehind) await turn();
    else await growth.changed(seen, signal);
  }
}

const unlessUnavailable = (error: unknown): null => {
  if (error instanceof StoreUnavailable) return null;
  throw error;
};

/**
 * Growth that an adapter reports by calling `grew`.
 *
 * @param watch called when the first waiter arrives; the function it returns is called when the last one leaves
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
