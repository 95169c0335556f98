import { setTimeout as sleep } from 'node:timers/promises';
import type {
  PersistentSubscriptionToStream,
  PersistentSubscriptionToStreamResolvedEvent,
} from '@eventstore/db-client';
import { LRUCache } from 'lru-cache';
import type { HandleRun, QueuedRun } from '../port.ts';
import { NOT_HANDLED } from './region-queue.ts';

/** A message, and the subscription that its answer goes to. */
export interface Delivered {
  subscription: PersistentSubscriptionToStream;
  message: PersistentSubscriptionToStreamResolvedEvent;
  /** whether this is certainly its first delivery */
  first: boolean;
}

/** How many handled messages are remembered whose acknowledgement may have been lost. */
const REMEMBERED = 10_000;

/**
 * The runs of one consumer, over all its connections: a message that is delivered again while
 * its run is under way, or after it was handled, is not run a second time; its answer goes to where it came last.
 */
export interface Runs {
  /** Takes a message; never more at once than the concurrency: the caller checks `free` first. */
  take: (delivered: Delivered) => void;
  /** The connection was lost: what is under way is also handed to other consumers. */
  lost: () => void;
  /** how many more runs may begin */
  free: () => number;
  /** Resolves when nothing is under way; from now on failed runs are given back at once. */
  finish: () => Promise<void>;
}

export interface RunsOptions {
  handle: HandleRun;
  concurrency: number;
  /** milliseconds before each retry; after the last one the run is parked */
  retries: readonly number[];
  /** milliseconds after which an unanswered message goes to another consumer */
  messageTimeout: number;
  /** Called when another run can start. */
  onFree: () => void;
}

export const createRuns = ({ handle, concurrency, retries, messageTimeout, onFree }: RunsOptions): Runs => {
  const underWay = new Map<string, Delivered>();
  const handled = new LRUCache<string, true>({ max: REMEMBERED });
  const finishing = new AbortController();
  /** acknowledgements held back so that the last ones do not fetch new messages one by one */
  const held: Delivered[] = [];
  let finished = (): void => undefined;
  /** how often the connection was lost */
  let losses = 0;

  /** What can't be answered because its connection was lost will be delivered again. */
  const ack = async (all: readonly Delivered[]): Promise<void> => {
    for (const { subscription, message } of all) await subscription.ack(message).catch(() => undefined);
  };

  const refuse = async (id: string, retryCount: number, error: unknown): Promise<void> => {
    const pause = retries[retryCount];
    // The message stays with this consumer meanwhile and occupies its place: while nothing works, nothing
    // more is taken.
    if (pause !== undefined) await sleep(pause, undefined, { signal: finishing.signal }).catch(() => undefined);
    const last = underWay.get(id);
    const reason = error instanceof Error ? error.message : String(error);
    const action = pause === undefined ? NOT_HANDLED.park : NOT_HANDLED.retry;
    await last?.subscription.nack(action, reason, last.message).catch(() => undefined);
  };

  /** Whether somebody else may have a message that first came as `delivered`; to be safe, long before its time-out. */
  const doubtOf = (id: string, delivered: Delivered): (() => boolean) => {
    const taken = performance.now();
    const lossesBefore = losses;
    return () =>
      !delivered.first ||
      losses > lossesBefore ||
      underWay.get(id) !== delivered ||
      performance.now() - taken > messageTimeout / 2;
  };

  const run = async (id: string, delivered: Delivered): Promise<void> => {
    const { message } = delivered;
    try {
      await handle(message.event?.data as unknown as QueuedRun, { mayBeRepeated: doubtOf(id, delivered) });
      handled.set(id, true);
      const last = underWay.get(id);
      if (last && finishing.signal.aborted) held.push(last);
      else if (last) await ack([last]);
    } catch (error) {
      await refuse(id, message.retryCount, error);
    } finally {
      underWay.delete(id);
      onFree();
      if (underWay.size === 0) finished();
    }
  };

  return {
    take: (delivered) => {
      const id = delivered.message.event?.id ?? '';
      if (handled.has(id)) {
        void ack([delivered]);
        return;
      }
      const again = underWay.has(id);
      underWay.set(id, delivered);
      if (!again) void run(id, delivered);
    },
    lost: () => {
      losses++;
    },
    free: () => concurrency - underWay.size,
    finish: async () => {
      finishing.abort();
      if (underWay.size > 0) await new Promise<void>((resolve) => (finished = resolve));
      await ack(held.splice(0));
    },
  };
};
