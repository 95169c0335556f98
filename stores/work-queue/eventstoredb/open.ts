import { randomUUID } from 'node:crypto';
import {
  NotFoundError,
  PersistentSubscriptionDoesNotExistError,
  PersistentSubscriptionDroppedError,
} from '@eventstore/db-client';
import { append } from '../../event-store/eventstoredb/append.ts';
import { watchServerResponses, type ServerWatchOptions } from '../../eventstoredb/responsiveness.ts';
import { connect } from '../../eventstoredb/connection.ts';
import { reasonOf, withTimeout } from '../../eventstoredb/failures.ts';
import type { ConnectionWatch } from '../../connection-watch.ts';
import { QueueFull, queueOf, type WorkQueue } from '../port.ts';
import { consume } from './consumer.ts';
import {
  createQueue,
  GROUP,
  readGroupInfo,
  readParked,
  regionOfStream,
  streamOfRegion,
  countWaiting,
} from './region-queue.ts';

export interface EventStoreDbQueueOptions {
  /** prefix of all stream names, such as `uptrail.`, so that several services can share a server; default: empty */
  prefix?: string;
  /** maximum number of waiting runs per region */
  limit?: number;
  /** milliseconds before each retry; one entry per retry */
  retries?: readonly number[];
  /** milliseconds after which an unacknowledged run goes to another worker */
  messageTimeout?: number;
  /** timeout of each call, in milliseconds */
  deadline?: number;
  /** milliseconds without a message after which a worker checks whether the server still knows it */
  patience?: number;
  /** called with the reason when a worker has lost its connection; the worker reconnects automatically */
  onLost?: (region: string, reason: string) => void;
  /** how an unresponsive server is detected, and who is notified */
  watching?: ServerWatchOptions;
  /** is notified of problems with the server */
  watch?: ConnectionWatch;
}

/**
 * Default message time-out in milliseconds. The longest run is a port scan, which may take ten minutes and be repeated
 * once.
 */
const LONGER_THAN_ANY_RUN = 21 * 60_000;

/** Returns whether a call failed because the consumer group was deleted. The next attempt creates the group again. */
const isGroupGone = (error: unknown): boolean =>
  error instanceof PersistentSubscriptionDoesNotExistError || error instanceof PersistentSubscriptionDroppedError;

/**
 * Opens a queue in EventStoreDB. Each region has a stream `check_runs-{region}` and a persistent subscription to it,
 * which are created on first use. Runs survive the end of all processes, for at most an hour. Besides the errors of the
 * port, `offer`, `depths` and `parked` throw StoreUnavailable. `consume` waits until the server is available again.
 *
 * @throws BadConnectionString the connection string can't be used; the message is a sentence
 */
export const openEventStoreDbQueue = (connectionString: string, options: EventStoreDbQueueOptions = {}): WorkQueue => {
  const { prefix = '', limit = 20_000, retries = [1_000, 5_000, 15_000] } = options;
  const { messageTimeout = LONGER_THAN_ANY_RUN, deadline = 10_000, patience = 10_000 } = options;
  const connection = connect(connectionString, { watch: options.watch });
  const answering = watchServerResponses(connection, options.watching);
  const closing = new AbortController();
  const consumptions = new Set<Promise<void>>();
  const made = new Map<string, Promise<void>>();
  /** estimated number of waiting runs by region */
  const waiting = new Map<string, number>();

  const ensure = (region: string): Promise<void> => {
    const known = made.get(region);
    if (known) return known;
    const settings = { messageTimeout, retries: retries.length, deadline };
    const making = createQueue(connection, streamOfRegion(prefix, region), settings);
    made.set(region, making);
    making.catch(() => made.delete(region));
    return making;
  };

  const notAvailable = (region: string | null) => (error: unknown) => {
    if (region !== null && isGroupGone(error)) made.delete(region);
    throw connection.failed(error, 'groups');
  };

  /**
   * Counts a run, and reads the length of the queue only if the count reaches the limit. The count is an estimate: it
   * does not decrease when runs are consumed, and does not include the runs that other processes offer. The limit
   * prevents a region without workers from accumulating runs; it does not have to be exact.
   */
  const admit = async (region: string): Promise<void> => {
    const stream = streamOfRegion(prefix, region);
    if ((waiting.get(region) ?? limit) >= limit) {
      waiting.set(
        region,
        await countWaiting(connection, stream, await readGroupInfo(connection, stream, deadline), deadline),
      );
    }
    const count = waiting.get(region) ?? 0;
    if (count >= limit) throw new QueueFull(region, limit);
    waiting.set(region, count + 1);
  };

  const offer: WorkQueue['offer'] = async (run) => {
    const region = queueOf(run);
    const stream = streamOfRegion(prefix, region);
    // Each offer is a separate message with a new id, even for a run that was offered before.
    const event = { id: randomUUID(), type: 'CheckRunOffered', data: JSON.stringify(run), metadata: '{}' };
    await ensure(region);
    await admit(region).catch((error: unknown) => {
      if (error instanceof QueueFull) throw error;
      notAvailable(region)(error);
    });
    await append(connection, { stream, onServer: stream }, [event], 'any', deadline);
  };

  const depths: WorkQueue['depths'] = async () => {
    const { client, credentials } = connection;
    const all = await withTimeout(
      deadline + 1_000,
      client.listAllPersistentSubscriptions({ ...credentials, deadline }),
    ).catch((error: unknown) => {
      if (error instanceof NotFoundError || error instanceof PersistentSubscriptionDoesNotExistError) return [];
      return notAvailable(null)(error);
    });
    const found = [];
    for (const { eventSource, groupName } of all) {
      const region = regionOfStream(prefix, eventSource);
      if (region === null || groupName !== GROUP) continue;
      const info = await readGroupInfo(connection, eventSource, deadline).catch(notAvailable(region));
      const count = await countWaiting(connection, eventSource, info, deadline).catch(notAvailable(region));
      waiting.set(region, count);
      const { totalInFlightMessages: in_flight, parkedMessageCount } = info.stats;
      found.push({ queue: region, waiting: count, in_flight, parked: Number(parkedMessageCount) });
    }
    return found;
  };

  return {
    isDurable: true,

    offer: (run) => answering.call(() => offer(run), { awaited: true }),

    consume: async (region, handle, { concurrency, signal }) => {
      const ending = AbortSignal.any([signal, closing.signal]);
      const settings = {
        stream: streamOfRegion(prefix, region),
        ensure: () => ensure(region),
        retries,
        messageTimeout,
        deadline,
        patience,
        onLost: (error: unknown) => {
          if (isGroupGone(error)) made.delete(region);
          options.onLost?.(region, reasonOf(error));
        },
      };
      const consumption = consume(connection, settings, handle, { concurrency, signal: ending });
      consumptions.add(consumption);
      try {
        await consumption;
      } finally {
        consumptions.delete(consumption);
      }
    },

    depths: () => answering.call(depths),

    parked: (region) => answering.call(() => readParked(connection, streamOfRegion(prefix, region), deadline)),

    close: async () => {
      answering.close();
      closing.abort();
      await Promise.allSettled(consumptions);
      await connection.close();
    },
  };
};
