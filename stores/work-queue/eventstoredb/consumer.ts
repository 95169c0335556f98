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
  /** milliseconds of silence after which the worker checks whether the server still knows this consumer */
  patience: number;
  onLost: (error: unknown) => void;
}

/** How long the server gets to process the last acknowledgements and the end of the subscription. Milliseconds. */
const CLOSING_TIME = 2_000;
const CHECK_PAUSE = 10;

/**
 * Consumes messages, and reconnects until the signal aborts and nothing is in flight.
 *
 * @param shared a connection of the process; the consumer opens its own, whose name identifies it to the server
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
  const heard = (): void => {
    failures = 0;
  };
  const ended = (): boolean => signal.aborted;
  while (!ended()) {
    try {
      await settings.ensure();
      await consumeOnce({ connection, name, settings, runs, concurrency, signal, waking, heard });
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
  /** `wake` is called when another run can start */
  waking: { wake: () => void };
  /** Called when the server has sent something. */
  heard: () => void;
}

/**
 * Consumes over one subscription, until the signal aborts.
 *
 * @throws any error that ended the subscription before
 */
const consumeOnce = async (given: Consumption): Promise<void> => {
  const { connection, name, settings, runs, concurrency, signal, waking, heard } = given;
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
    heard();
    lastRevision(connection, settings.stream, settings.deadline).then(order.begin, () => undefined);
  });
  subscription.on('error', end);
  subscription.on('end', closed);
  subscription.on('close', closed);
  signal.addEventListener('abort', wake);

  const read = (): PersistentSubscriptionToStreamResolvedEvent | null =>
    subscription.read() as PersistentSubscriptionToStreamResolvedEvent | null;

  /** Whether anything happened before the time ran out. */
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

  /** Checks until the condition is met, or waiting is no longer worthwhile. */
  const until = async (holds: (found: { inFlightMessages: number } | undefined) => boolean): Promise<void> => {
    const started = performance.now();
    while (!holds(await known(CLOSING_TIME)) && performance.now() - started < CLOSING_TIME) await sleep(CHECK_PAUSE);
  };

  const lost = (): { error: unknown } | null => ended;
  /** Whether the server counts more messages as delivered to this consumer than have arrived. */
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
        heard();
        doubtful = false;
        runs.accept({ subscription, message, first: order.isFirst(message) });
      } else if (over && runs.freeSlots() > 0) throw over.error;
      else if (!(await happened())) {
        const misses = await missesSome();
        // Messages may still be in transit: the connection is dead if they have not arrived by the next check.
        if (misses && doubtful) throw new NoResponse();
        doubtful = misses;
      }
    }
    await runs.finish();
    /*
     * An acknowledgement that the server has not processed when the connection ends is lost, and its run is repeated.
     * The server has processed all of them once it counts nothing in flight here except messages that arrive and are no
     * longer accepted.
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
 * Determines which deliveries are certainly the first of their message. The server counts repeats after a time-out or
 * when a consumer leaves. It does not count repeats after a restart, when it forgets recent acknowledgements, nor
 * repeats of parked messages. First deliveries are in order. So another consumer may have had a message if the message
 * was in the stream when this consumer joined, or is before one already delivered to it.
 */
const createDeliveryOrder = () => {
  let highest = -1n;
  /** whether the end of the stream at the time this consumer joined is known */
  let begun = false;
  return {
    /** @param end revision of the last message when this consumer joined, or later */
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
