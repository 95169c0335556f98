import type { CheckResultEvent } from '../../domain/check-result/events.ts';
import type { NewEvent } from '../../domain/event.ts';
import { MAX_APPEND_BYTES, StoreUnavailable, type EventStore } from '../../stores/event-store/port.ts';
import type { Clock } from '../clock.ts';

/** How long a result waits for others to share its append. */
const MAX_WAIT_MS = 20;
const MAX_EVENTS = 500;
/** Half of what a store takes, since it counts in its own way. */
const MAX_BYTES = MAX_APPEND_BYTES / 2;
/** Waits before an append with an unknown outcome is repeated. */
const RETRIES_MS = [50, 200, 800, 2_000];

type ResultEvent = NewEvent<CheckResultEvent>;

interface Waiting {
  event: ResultEvent;
  resolve: () => void;
  reject: (error: unknown) => void;
}

export interface ResultStore {
  /** Resolves once the result is durable. @throws StoreUnavailable, AppendTooLarge */
  store: (event: ResultEvent) => Promise<void>;
}

/**
 * Appends results of one region to its stream, many an append, expecting any revision: readers ignore
 * a result they have seen (design.md: Two logs).
 */
export const createResultStore = (
  log: Pick<EventStore, 'append'>,
  stream: string,
  clock: Pick<Clock, 'after'>,
): ResultStore => {
  let batch: Waiting[] = [];
  let bytes = 0;
  let cancelTimer = (): void => undefined;

  const appendSurely = async (events: readonly ResultEvent[]): Promise<void> => {
    for (const wait of [...RETRIES_MS, null]) {
      try {
        await log.append(stream, events, 'any');
        return;
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || wait === null) throw error;
        await new Promise<void>((resolve) => clock.after(wait, resolve));
      }
    }
  };

  const flush = (): void => {
    cancelTimer();
    const waiting = batch;
    batch = [];
    bytes = 0;
    appendSurely(waiting.map(({ event }) => event)).then(
      () => {
        for (const { resolve } of waiting) resolve();
      },
      (error: unknown) => {
        for (const { reject } of waiting) reject(error);
      },
    );
  };

  return {
    store: (event) =>
      new Promise((resolve, reject) => {
        const size = Buffer.byteLength(JSON.stringify(event));
        if (batch.length > 0 && bytes + size > MAX_BYTES) flush();
        batch.push({ event, resolve, reject });
        bytes += size;
        if (batch.length >= MAX_EVENTS) flush();
        else if (batch.length === 1) cancelTimer = clock.after(MAX_WAIT_MS, flush);
      }),
  };
};
