import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PersistentSubscriptionToStreamResolvedEvent } from '@eventstore/db-client';
import { StoreUnavailable } from '../../event-store/port.ts';
import type { Connection } from '../../eventstoredb/connection.ts';
import { pauseAfter, Silence } from '../../eventstoredb/failures.ts';
import { createRuns, type Runs } from './delivery.ts';
import { GROUP, infoOf, lastRevision } from './region-queue.ts';
import type { ConsumeOptions, HandleRun } from '../port.ts';

export interface ConsumerSettings {
  stream: string;
  /** Makes stream and group if they are not there. */
  ensure: () => Promise<void>;
  retries: readonly number[];
  /** milliseconds after which a message without an answer goes to another worker */
  messageTimeout: number;
  deadline: number;
  /** milliseconds of silence after which the server is asked whether it still knows this consumer */
  patience: number;
  onLost: (error: unknown) => void;
}

/** How long the server is given to take note of the last acknowledgements, and of the end. Milliseconds. */
const FAREWELL = 2_000;
const LOOK_PAUSE = 10;

/**
 * Consumes over one connection after another, until the signal aborts and nothing is in flight.
 *
 * @param shared a connection of the process; the consumer has one of its own, by whose name the server knows it
 */
export const consume = async (
  shared: Connection,
  settings: ConsumerSettings,
  handle: HandleRun,
  { concurrency, signal }: ConsumeOptions,
): Promise<void> => {
  if (signal.aborted) return;
  const name = `uptrail-worker-${randomUUID()}`;
  const connection = shared.another(name);
  const waking = { wake: (): void => undefined };
  const onFree = (): void => {
    waking.wake();
  };
  const { retries, messageTimeout } = settings;
  const runs = createRuns({ handle, concurrency, retries, messageTimeout, onFree });
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
      connection.passedOver(connection.failed(error, 'groups'));
      settings.onLost(error);
      await sleep(pauseAfter(failures++), undefined, { signal }).catch(() => undefined);
    }
  }
  await runs.finish();
  await connection.close();
};

interface Consumption {
  connection: Connection;
  name: string;
  settings: ConsumerSettings;
  runs: Runs;
  concurrency: number;
  signal: AbortSignal;
  /** `wake` is called when there is room for another run */
  waking: { wake: () => void };
  /** Called when the server has sent something. */
  heard: () => void;
}

/**
 * Consumes over one subscription, until the signal aborts.
 *
 * @throws whatever ended it before
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
  const order = createOrder();
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

  /** Whether something happened before patience was at its end. */
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

  const known = async (): Promise<{ inFlightMessages: number } | undefined> => {
    const { connections } = await infoOf(connection, settings.stream, Math.min(settings.deadline, settings.patience));
    return connections.find(({ connectionName }) => connectionName === name);
  };

  /** Looks until the server shows what is waited for, or for as long as it is worth it. */
  const until = async (holds: (found: { inFlightMessages: number } | undefined) => boolean): Promise<void> => {
    const started = performance.now();
    while (!holds(await known()) && performance.now() - started < FAREWELL) await sleep(LOOK_PAUSE);
  };

  const lost = (): { error: unknown } | null => ended;
  /** Whether the server counts more as handed to this consumer than has arrived. */
  const missesSome = async (): Promise<boolean> => {
    const found = await known();
    if (!found) throw new StoreUnavailable('EventStoreDB is not available: it has forgotten a worker.');
    return found.inFlightMessages > concurrency - runs.free() + subscription.readableLength;
  };

  try {
    for (let doubtful = false; !signal.aborted;) {
      const message = runs.free() > 0 ? read() : null;
      const over = lost();
      if (message) {
        heard();
        doubtful = false;
        runs.take({ subscription, message, first: order.isFirst(message) });
      } else if (over && runs.free() > 0) throw over.error;
      else if (!(await happened())) {
        const misses = await missesSome();
        // What is on its way may still come: the connection is dead when it has not until the next look.
        if (misses && doubtful) throw new Silence();
        doubtful = misses;
      }
    }
    await runs.finish();
    /*
     * An acknowledgement that the server has not seen when the connection ends is lost, and its run done again.
     * It has seen all once nothing is in flight here but what arrives and is not taken any more.
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
 * Tells deliveries that surely are the first of their message. The server counts those that it makes again after a
 * time-out or when a consumer leaves, but not those after a restart, which lets it forget what was settled just before,
 * nor those of messages that were parked. It hands messages out in their order the first time: so one that stood in the
 * stream when this consumer came, or before one that it was given already, may have been somebody else's.
 */
const createOrder = () => {
  let highest = -1n;
  /** whether it is known where the stream ended when this consumer came */
  let begun = false;
  return {
    /** @param end revision of the last message when this consumer came, or later */
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
