import { setTimeout as sleep } from 'node:timers/promises';
import type {
  PersistentSubscriptionToStream,
  PersistentSubscriptionToStreamResolvedEvent,
} from '@eventstore/db-client';
import { LRUCache } from 'lru-cache';
import type { HandleRun, QueuedRun } from '../port.ts';
import { NOT_HANDLED } from './region-queue.ts';

/** A message, and the subscription to acknowledge it on. */
export interface DeliveredMessage {
  subscription: PersistentSubscriptionToStream;
  message: PersistentSubscriptionToStreamResolvedEvent;
  /** whether this is certainly its first delivery */
  first: boolean;
}

/** Number of handled messages that are remembered, in case their acknowledgement was lost. */
const MAX_REMEMBERED = 10_000;

/**
 * The runs of one consumer, over all its connections. A message that is delivered again while its run is in progress,
 * or after it was handled, is not run a second time; it is acknowledged on the latest connection.
 */
export interface ConsumerRuns {
  /** Accepts a message. The caller must check `free` first, so as not to exceed the concurrency. */
  accept: (delivered: DeliveredMessage) => void;
  /** Call when the connection was lost: runs in progress are then delivered to other consumers too. */
  lost: () => void;
  /** how many more runs may begin */
  freeSlots: () => number;
  /** Resolves when no run is in progress; from now on failed runs are returned to the queue immediately. */
  finish: () => Promise<void>;
}

export interface ConsumerRunsOptions {
  handle: HandleRun;
  concurrency: number;
  /** milliseconds before each retry; after the last one the run is parked */
  retries: readonly number[];
  /** milliseconds after which an unacknowledged message goes to another consumer */
  messageTimeout: number;
  /** Called when another run can start. */
  onFree: () => void;
}

export const createConsumerRuns = ({
  handle,
  concurrency,
  retries,
  messageTimeout,
  onFree,
}: ConsumerRunsOptions): ConsumerRuns => {
  const pending = new Map<string, DeliveredMessage>();
  const handled = new LRUCache<string, true>({ max: MAX_REMEMBERED });
  const finishing = new AbortController();
  /** acknowledgements sent in one batch, so that the last ones do not fetch new messages one by one */
  const finalAcks: DeliveredMessage[] = [];
  let finished = (): void => undefined;
  /** how often the connection was lost */
  let losses = 0;

  /** Acknowledgements that fail because the connection was lost lead to another delivery. */
  const ack = async (all: readonly DeliveredMessage[]): Promise<void> => {
    for (const { subscription, message } of all) await subscription.ack(message).catch(() => undefined);
  };

  const refuse = async (id: string, retryCount: number, error: unknown): Promise<void> => {
    const pause = retries[retryCount];
    // The message stays with this consumer meanwhile and occupies a slot: while every run fails, no more are accepted.
    if (pause !== undefined) await sleep(pause, undefined, { signal: finishing.signal }).catch(() => undefined);
    const last = pending.get(id);
    const reason = error instanceof Error ? error.message : String(error);
    const action = pause === undefined ? NOT_HANDLED.park : NOT_HANDLED.retry;
    await last?.subscription.nack(action, reason, last.message).catch(() => undefined);
  };

  /**
   * Whether another consumer may have a message first delivered as `delivered`; true long before its time-out, to be
   * safe.
   */
  const doubtOf = (id: string, delivered: DeliveredMessage): (() => boolean) => {
    const taken = performance.now();
    const lossesBefore = losses;
    return () =>
      !delivered.first ||
      losses > lossesBefore ||
      pending.get(id) !== delivered ||
      performance.now() - taken > messageTimeout / 2;
  };

  const run = async (id: string, delivered: DeliveredMessage): Promise<void> => {
    const { message } = delivered;
    try {
      await handle(message.event?.data as unknown as QueuedRun, { mayBeRepeated: doubtOf(id, delivered) });
      handled.set(id, true);
      const last = pending.get(id);
      if (last && finishing.signal.aborted) finalAcks.push(last);
      else if (last) await ack([last]);
    } catch (error) {
      await refuse(id, message.retryCount, error);
    } finally {
      pending.delete(id);
      onFree();
      if (pending.size === 0) finished();
    }
  };

  return {
    accept: (delivered) => {
      const id = delivered.message.event?.id ?? '';
      if (handled.has(id)) {
        void ack([delivered]);
        return;
      }
      const again = pending.has(id);
      pending.set(id, delivered);
      if (!again) void run(id, delivered);
    },
    lost: () => {
      losses++;
    },
    freeSlots: () => concurrency - pending.size,
    finish: async () => {
      finishing.abort();
      if (pending.size > 0) await new Promise<void>((resolve) => (finished = resolve));
      await ack(finalAcks.splice(0));
    },
  };
};
