import { setTimeout as sleep } from 'node:timers/promises';
import type {
  PersistentSubscriptionToStream,
  PersistentSubscriptionToStreamResolvedEvent,
} from '@eventstore/db-client';
import { LRUCache } from 'lru-cache';
import type { HandleRun, QueuedRun } from '../port.ts';
import { NOT_HANDLED } from './region-queue.ts';

/** A message, and the subscription on which it must be acknowledged. */
export interface DeliveredMessage {
  subscription: PersistentSubscriptionToStream;
  message: PersistentSubscriptionToStreamResolvedEvent;
  /** whether this is certainly the first delivery of the message */
  first: boolean;
}

/** Maximum number of handled messages that are remembered, in case their acknowledgements are lost. */
const MAX_REMEMBERED = 10_000;

/**
 * The runs of one consumer, over all its connections. If a message is delivered again during or after its run, the run
 * is not repeated. The message is acknowledged on the latest connection.
 */
export interface ConsumerRuns {
  /** Accepts a message. The caller must check `freeSlots` first, so that the concurrency is not exceeded. */
  accept: (delivered: DeliveredMessage) => void;
  /**
   * Call when the connection was lost. From then on, the server may deliver the runs in progress to other consumers
   * too.
   */
  lost: () => void;
  /** returns the number of further runs that may begin */
  freeSlots: () => number;
  /** Resolves when no run is in progress. From this call on, failed runs return to the queue immediately. */
  finish: () => Promise<void>;
}

export interface ConsumerRunsOptions {
  handle: HandleRun;
  concurrency: number;
  /** milliseconds before each retry; if the last retry fails, the run is parked */
  retries: readonly number[];
  /** milliseconds after which an unacknowledged message goes to another consumer */
  messageTimeout: number;
  /** called when another run can start */
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
  /**
   * messages that are acknowledged in one batch when the consumer stops. If they were acknowledged one by one, the
   * server would send another message after each acknowledgement
   */
  const finalAcks: DeliveredMessage[] = [];
  let finished = (): void => undefined;
  /** number of times that the connection was lost */
  let losses = 0;

  /** Acknowledges messages. Ignores failures: after a lost connection, the server delivers the message again. */
  const ack = async (all: readonly DeliveredMessage[]): Promise<void> => {
    for (const { subscription, message } of all) await subscription.ack(message).catch(() => undefined);
  };

  const refuse = async (id: string, retryCount: number, error: unknown): Promise<void> => {
    const pause = retries[retryCount];
    // During the pause, the message occupies a slot of this consumer. So while the runs in all slots wait for a retry,
    // the consumer accepts no further message.
    if (pause !== undefined) await sleep(pause, undefined, { signal: finishing.signal }).catch(() => undefined);
    const last = pending.get(id);
    const reason = error instanceof Error ? error.message : String(error);
    const action = pause === undefined ? NOT_HANDLED.park : NOT_HANDLED.retry;
    await last?.subscription.nack(action, reason, last.message).catch(() => undefined);
  };

  /**
   * Creates a function that returns whether another consumer may have received the message too. To be safe, the created
   * function returns true after half of the message time-out.
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
