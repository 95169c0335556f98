import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PersistentSubscriptionToStreamResolvedEvent } from '@eventstore/db-client';
import { StoreUnavailable } from '../../event-store/port.ts';
import type { Connection } from '../../eventstoredb/connection.ts';
import { backoffAfter } from '../../eventstoredb/backoff.ts';
import { NoResponse } from '../../eventstoredb/failures.ts';
import { createConsumerRuns, type ConsumerRuns } from './delivery.ts';
import { GROUP, readGroupInfo, lastRevision } from './region-queue.ts';
import type { ConsumeOptions, HandleRun } from '../port.ts';

export interface ConsumerSettings {
  stream: string;
  /** Creates stream and group if they do not exist. */
  ensure: () => Promise<void>;
  retries: readonly number[];
  /** milliseconds after which an unacknowledged message goes to another worker */
  messageTimeout: number;
  deadline: number;
  /** milliseconds without a message after which the worker checks whether the server still knows this consumer */
  patience: number;
  onLost: (error: unknown) => void;
}

/**
 * Maximum time in milliseconds for each of two steps when the consumer stops. In the first step, the server processes
 * the final acknowledgements. In the second step, the server ends the subscription.
 */
const CLOSING_TIME = 2_000;
const CHECK_PAUSE = 10;

/**
 * Consumes messages, and reconnects if necessary. Resolves when the signal has aborted and no run is in flight.
 *
 * @param shared a connection of the process to the same server; the consumer opens another one, whose name identifies
 * the consumer to the server
 */
export const consume = async (
  shared: Connection,
  settings: ConsumerSettings,
  handle: HandleRun,
  { concurrency, signal }: ConsumeOptions,
): Promise<void> => {
  if (signal.aborted) return;
  const name = `uptrail-worker-${randomUUID()}`;
  const connection = shared.openAnother(name);
  const waking = { wake: (): void => undefined };
  const onFree = (): void => {
    waking.wake();
  };
  const { retries, messageTimeout } = settings;
  const runs = createConsumerRuns({ handle, concurrency, retries, messageTimeout, onFree });
  let failures = 0;
  const onReceived = (): void => {
    failures = 0;
  };
  const ended = (): boolean => signal.aborted;
  while (!ended()) {
    try {
      await settings.ensure();
      await consumeOnce({ connection, name, settings, runs, concurrency, signal, waking, onReceived });
    } catch (error) {
      runs.lost();
      connection.reportFailure(connection.failed(error, 'groups'));
      settings.onLost(error);
      await sleep(backoffAfter(failures++), undefined, { signal }).catch(() => undefined);
    }
  }
  await runs.finish();
  await connection.close();
};

interface Consumption {
  connection: Connection;
  name: string;
  settings: ConsumerSettings;
  runs: ConsumerRuns;
  concurrency: number;
  signal: AbortSignal;
  /** `wake` is called when something has happened that the loop must handle, such as the end of a run */
  waking: { wake: () => void };
  /** called when the server has sent something */
  onReceived: () => void;
}

/**
 * Consumes over one subscription, until the signal aborts.
 *
 * @throws any error that ended the subscription before the signal aborted
 */
const consumeOnce = async (given: Consumption): Promise<void> => {
  const { connection, name, settings, runs, concurrency, signal, waking, onReceived } = given;
  const { client, credentials } = connection;
  const subscription = client.subscribeToPersistentSubscriptionToStream(
    settings.stream,
    GROUP,
    { ...credentials, bufferSize: concurrency },
    { highWaterMark: concurrency },
  );
  const order = createDeliveryOrder();
  let ended: { error: unknown } | null = null;
  const end = (error: unknown): void => {
    ended ??= { error };
    waking.wake();
  };
  const closed = (): void => {
    end(new StoreUnavailable('EventStoreDB is not available: it has closed a queue.'));
  };
  const wake = (): void => {
    waking.wake();
  };
  subscription.on('readable', wake);
  subscription.on('confirmation', () => {
    onReceived();
    lastRevision(connection, settings.stream, settings.deadline).then(order.begin, () => undefined);
  });
  subscription.on('error', end);
  subscription.on('end', closed);
  subscription.on('close', closed);
  signal.addEventListener('abort', wake);

  const read = (): PersistentSubscriptionToStreamResolvedEvent | null =>
    subscription.read() as PersistentSubscriptionToStreamResolvedEvent | null;

  /** Waits until something happens. Returns false if nothing has happened within `patience`. */
  const happened = async (): Promise<boolean> => {
    let timer: NodeJS.Timeout | undefined;
    const did = await new Promise<boolean>((resolve) => {
      waking.wake = () => {
        resolve(true);
      };
      timer = setTimeout(() => {
        resolve(false);
      }, settings.patience);
    });
    clearTimeout(timer);
    waking.wake = () => undefined;
    return did;
  };

  const known = async (patience: number): Promise<{ inFlightMessages: number } | undefined> => {
    const { connections } = await readGroupInfo(connection, settings.stream, Math.min(settings.deadline, patience));
    return connections.find(({ connectionName }) => connectionName === name);
  };

  /** Polls the server's information about this consumer until a condition is met, but at most for CLOSING_TIME. */
  const until = async (holds: (found: { inFlightMessages: number } | undefined) => boolean): Promise<void> => {
    const started = performance.now();
    while (!holds(await known(CLOSING_TIME)) && performance.now() - started < CLOSING_TIME) await sleep(CHECK_PAUSE);
  };

  const lost = (): { error: unknown } | null => ended;
  /**
   * Returns whether messages are missing: the server counts more messages as delivered to this consumer than have
   * arrived.
   */
  const missesSome = async (): Promise<boolean> => {
    const found = await known(settings.patience);
    if (!found) throw new StoreUnavailable('EventStoreDB is not available: it has forgotten a worker.');
    return found.inFlightMessages > concurrency - runs.freeSlots() + subscription.readableLength;
  };

  try {
    for (let doubtful = false; !signal.aborted;) {
      const message = runs.freeSlots() > 0 ? read() : null;
      const over = lost();
      if (message) {
        onReceived();
        doubtful = false;
        runs.accept({ subscription, message, first: order.isFirst(message) });
      } else if (over && runs.freeSlots() > 0) throw over.error;
      else if (!(await happened())) {
        const misses = await missesSome();
        // An undelivered message may still be in transit. So the connection is assumed to be dead only if messages are
        // still missing at the next check.
        if (misses && doubtful) throw new NoResponse();
        doubtful = misses;
      }
    }
    await runs.finish();
    /*
     * If the connection ends before the server has processed an acknowledgement, the acknowledgement is lost and the
     * run is repeated. So this function waits until the server counts no message as in flight at this consumer.
     * Messages that arrive from now on are not accepted, so they do not count.
     */
    let unwanted = 0;
    await until((found) => {
      while (read()) unwanted++;
      return (found?.inFlightMessages ?? unwanted) <= unwanted;
    });
    subscription.unsubscribe().catch(() => undefined);
    subscription.destroy();
    await until((found) => found === undefined);
  } finally {
    signal.removeEventListener('abort', wake);
    subscription.on('error', () => undefined);
    subscription.unsubscribe().catch(() => undefined);
    subscription.destroy();
  }
};

/**
 * Determines whether a delivery is certainly the first one of its message. The server's `retryCount` alone is not
 * enough. It counts repeats after a time-out, or after a consumer has left. It does not count repeats of parked
 * messages, nor repeats after a restart of the server, which forgets recent acknowledgements. But first deliveries
 * arrive in the order of the stream. So a delivery may be a repeat if its message was in the stream when this consumer
 * joined, or precedes a message that was already delivered to this consumer.
 */
const createDeliveryOrder = () => {
  let highest = -1n;
  /** whether the end of the stream when this consumer joined is known */
  let begun = false;
  return {
    /** @param end revision of the last message of the stream when this consumer joined, or a later one */
    begin: (end: bigint): void => {
      begun = true;
      if (end > highest) highest = end;
    },
    isFirst: ({ event, retryCount }: PersistentSubscriptionToStreamResolvedEvent): boolean => {
      if (!event || event.revision <= highest) return false;
      highest = event.revision;
      return begun && retryCount === 0;
    },
  };
};
