import { LRUCache } from 'lru-cache';
import type { NewEvent } from '../domain/event.ts';
import {
  AppendTooLarge,
  StoreUnavailable,
  WrongExpectedRevision,
  type EventStore,
} from '../stores/event-store/port.ts';
import type { Clock } from './clock.ts';

/** How long an event waits for others to share its append. */
const MAX_WAIT_MS = 20;
/** How long one waits that nobody waits for: each append costs a commit here, and one in every read model. */
const LEISURELY_WAIT_MS = 250;
const MAX_EVENTS = 500;
/** Waits before an append with an unknown outcome is repeated. */
const RETRIES_MS = [50, 200, 800, 2_000];
/** How many events are remembered, to be known when they come again. */
const REMEMBERED = 5_000;

interface Waiting {
  event: NewEvent;
  resolve: () => void;
  reject: (error: unknown) => void;
}

interface Batch {
  waiting: Waiting[];
  leisurely: boolean;
  cancelTimer: () => void;
}

export interface Batches {
  /**
   * Resolves once the event is durable; one that comes again is stored once.
   *
   * @param leisurely nobody waits for it: it may take a quarter of a second longer, together with more others
   * @throws StoreUnavailable, AppendTooLarge
   */
  store: (stream: string, event: NewEvent, leisurely?: boolean) => Promise<void>;
}

/**
 * Appends events to streams of the results log, many an append, expecting any revision: readers ignore
 * what they have seen (design.md: Two logs). A store knows an append by all of its ids, so an event that
 * may stand in the log already is appended by itself: among others it would be a conflict for all of
 * them, or be stored again.
 *
 * @param most how many events there can be to wait for; half of them are appended at once, since what they hold
 *   up meanwhile could bring more
 */
export const createBatches = (
  log: Pick<EventStore, 'append'>,
  clock: Pick<Clock, 'after'>,
  most = MAX_EVENTS,
): Batches => {
  const batches = new Map<string, Batch>();
  const enough = Math.min(Math.ceil(most / 2), MAX_EVENTS);
  /** events by their ids; null: what became of one is unknown */
  const remembered = new LRUCache<string, { stored: Promise<void> | null }>({ max: REMEMBERED });

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

  const append = async (stream: string, waiting: readonly Waiting[]): Promise<void> => {
    try {
      await appendSurely(
        stream,
        waiting.map(({ event }) => event),
      );
      for (const { resolve } of waiting) resolve();
    } catch (error) {
      if (error instanceof WrongExpectedRevision && waiting.length > 1) {
        await Promise.all(waiting.map((one) => append(stream, [one])));
        return;
      }
      // Rare enough that no event is measured beforehand, which would take as long as to write it.
      if (error instanceof AppendTooLarge && waiting.length > 1) {
        const half = Math.ceil(waiting.length / 2);
        await Promise.all([append(stream, waiting.slice(0, half)), append(stream, waiting.slice(half))]);
        return;
      }
      for (const { reject } of waiting) reject(error);
    }
  };

  const flush = (stream: string): void => {
    const batch = batches.get(stream);
    if (!batch) return;
    batches.delete(stream);
    batch.cancelTimer();
    void append(stream, batch.waiting);
  };

  const flushAfter = (milliseconds: number, stream: string): (() => void) =>
    clock.after(milliseconds, () => {
      flush(stream);
    });

  const batchOf = (stream: string, leisurely: boolean): Batch => {
    const known = batches.get(stream);
    if (known?.leisurely && !leisurely) {
      known.cancelTimer();
      known.leisurely = false;
      known.cancelTimer = flushAfter(MAX_WAIT_MS, stream);
    }
    if (known) return known;
    const cancelTimer = flushAfter(leisurely ? LEISURELY_WAIT_MS : MAX_WAIT_MS, stream);
    const batch: Batch = { waiting: [], leisurely, cancelTimer };
    batches.set(stream, batch);
    return batch;
  };

  const storeWithOthers = (stream: string, event: NewEvent, leisurely: boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      const batch = batchOf(stream, leisurely);
      batch.waiting.push({ event, resolve, reject });
      if (batch.waiting.length >= enough) flush(stream);
    });

  return {
    store: (stream, event, leisurely = false) => {
      const before = remembered.get(event.id);
      if (before?.stored) return before.stored;
      const stored = before ? appendSurely(stream, [event]) : storeWithOthers(stream, event, leisurely);
      remembered.set(event.id, { stored });
      stored.catch(() => {
        remembered.set(event.id, { stored: null });
      });
      return stored;
    },
  };
};
