import type { NewEvent } from '../domain/event.ts';
import { MAX_APPEND_BYTES, StoreUnavailable, type EventStore } from '../stores/event-store/port.ts';
import type { Clock } from './clock.ts';

/** How long an event waits for others to share its append. */
const MAX_WAIT_MS = 20;
const MAX_EVENTS = 500;
/** Half of what a store takes, since it counts in its own way. */
const MAX_BYTES = MAX_APPEND_BYTES / 2;
/** Waits before an append with an unknown outcome is repeated. */
const RETRIES_MS = [50, 200, 800, 2_000];

interface Waiting {
  event: NewEvent;
  resolve: () => void;
  reject: (error: unknown) => void;
}

interface Batch {
  waiting: Waiting[];
  bytes: number;
  cancelTimer: () => void;
}

export interface Batches {
  /** Resolves once the event is durable. @throws StoreUnavailable, AppendTooLarge */
  store: (stream: string, event: NewEvent) => Promise<void>;
}

/**
 * Appends events to streams of the results log, many an append, expecting any revision: readers ignore
 * what they have seen (design.md: Two logs).
 */
export const createBatches = (log: Pick<EventStore, 'append'>, clock: Pick<Clock, 'after'>): Batches => {
  const batches = new Map<string, Batch>();

  const appendSurely = async (stream: string, events: readonly NewEvent[]): Promise<void> => {
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

  const flush = (stream: string): void => {
    const batch = batches.get(stream);
    if (!batch) return;
    batches.delete(stream);
    batch.cancelTimer();
    const { waiting } = batch;
    appendSurely(
      stream,
      waiting.map(({ event }) => event),
    ).then(
      () => {
        for (const { resolve } of waiting) resolve();
      },
      (error: unknown) => {
        for (const { reject } of waiting) reject(error);
      },
    );
  };

  const batchOf = (stream: string, size: number): Batch => {
    const known = batches.get(stream);
    if (known && known.bytes + size <= MAX_BYTES) return known;
    flush(stream);
    const cancelTimer = clock.after(MAX_WAIT_MS, () => {
      flush(stream);
    });
    const batch: Batch = { waiting: [], bytes: 0, cancelTimer };
    batches.set(stream, batch);
    return batch;
  };

  return {
    store: (stream, event) =>
      new Promise((resolve, reject) => {
        const size = Buffer.byteLength(JSON.stringify(event));
        const batch = batchOf(stream, size);
        batch.waiting.push({ event, resolve, reject });
        batch.bytes += size;
        if (batch.waiting.length >= MAX_EVENTS) flush(stream);
      }),
  };
};
