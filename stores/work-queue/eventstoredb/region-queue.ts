import {
  BACKWARDS,
  END,
  PARK,
  PersistentSubscriptionExistsError,
  persistentSubscriptionToStreamSettingsFromDefaults,
  RETRY,
  ROUND_ROBIN,
  START,
  type PersistentSubscriptionToStreamInfo,
} from '@eventstore/db-client';
import { QUEUE_CATEGORY } from '../../event-store/eventstoredb/log-streams.ts';
import { setMaxAge } from '../../event-store/eventstoredb/retention.ts';
import type { Connection } from '../../eventstoredb/connection.ts';
import { withTimeout } from '../../eventstoredb/failures.ts';
import { readEvents } from '../../eventstoredb/reads.ts';
import { parkedStream, RightMissing } from '../../eventstoredb/rights.ts';
import type { QueuedRun } from '../port.ts';

/** The only group of each region's stream; its consumers are the region's workers. */
export const GROUP = 'workers';

/** What to do with a message that was not handled. */
export const NOT_HANDLED = { retry: RETRY, park: PARK } as const;

/** Runs that no worker accepted within an hour are useless. */
const MAX_AGE_SECONDS = 3_600;
/** How many messages the server buffers for the workers of a region. */
const BUFFER = 1_000;
/** Most parked runs that are shown: the newest ones. */
const PARKED_LIMIT = 1_000;

/** Name on the server of a region's stream. */
export const streamOfRegion = (prefix: string, region: string): string => `${prefix}${QUEUE_CATEGORY}-${region}`;

/** The region of a stream; null if it is not one of ours. */
export const regionOfStream = (prefix: string, stream: string): string | null => {
  const start = streamOfRegion(prefix, '');
  return stream.startsWith(start) ? stream.slice(start.length) : null;
};

export interface GroupSettings {
  /** milliseconds after which an unacknowledged message goes to another worker */
  messageTimeout: number;
  retries: number;
  /** milliseconds for each call */
  deadline: number;
}

/**
 * Creates a region's stream and group if they do not exist. Existing ones stay unchanged, except for a message time-out
 * that is too short for today's runs: their messages would be delivered again while they are still in progress.
 *
 * @throws StoreUnavailable
 */
export const createQueue = async (
  connection: Connection,
  stream: string,
  { messageTimeout, retries, deadline }: GroupSettings,
): Promise<void> => {
  await setMaxAge(connection, stream, MAX_AGE_SECONDS, deadline).catch((error: unknown) => {
    // Without it the stream grows but still works: each run says until when it is useful.
    if (!(error instanceof RightMissing)) throw error;
    connection.reportFailure(error);
  });
  const settings = persistentSubscriptionToStreamSettingsFromDefaults({
    // Runs that were offered before the group existed are run too.
    startFrom: START,
    messageTimeout,
    maxRetryCount: retries,
    consumerStrategyName: ROUND_ROBIN,
    historyBufferSize: BUFFER,
    liveBufferSize: BUFFER,
    readBatchSize: 100,
    // After a restart of the server, only messages acknowledged within the last second can be delivered again.
    checkPointAfter: 1_000,
    checkPointLowerBound: 1,
    checkPointUpperBound: 500,
  });
  const { client, credentials } = connection;
  const create = client.createPersistentSubscriptionToStream(stream, GROUP, settings, { ...credentials, deadline });
  try {
    await withTimeout(deadline + 1_000, create);
  } catch (error) {
    if (!(error instanceof PersistentSubscriptionExistsError)) throw connection.failed(error, 'groups');
    await raiseMessageTimeout(connection, stream, { messageTimeout, deadline });
  }
};

/** Raises the message time-out of a group. Its consumers lose their connection once, and reconnect. */
const raiseMessageTimeout = async (
  connection: Connection,
  stream: string,
  { messageTimeout, deadline }: Pick<GroupSettings, 'messageTimeout' | 'deadline'>,
): Promise<void> => {
  const { client, credentials } = connection;
  try {
    const { settings } = await readGroupInfo(connection, stream, deadline);
    if (settings.messageTimeout >= messageTimeout) return;
    const changed = { ...settings, messageTimeout };
    await withTimeout(
      deadline + 1_000,
      client.updatePersistentSubscriptionToStream(stream, GROUP, changed, { ...credentials, deadline }),
    );
  } catch (error) {
    throw connection.failed(error, 'groups');
  }
};

/** @throws the client's errors; StoreUnavailable when the server does not respond */
export const readGroupInfo = (
  { client, credentials }: Connection,
  stream: string,
  deadline: number,
): Promise<PersistentSubscriptionToStreamInfo> =>
  withTimeout(
    deadline + 1_000,
    client.getPersistentSubscriptionToStreamInfo(stream, GROUP, { ...credentials, deadline }),
  );

/**
 * How many messages wait for a worker. The server reports how many it has buffered, and up to where it knows the
 * stream; it will soon buffer what was appended since. A lagging group does not report how much it has not read yet, so
 * everything that is not known to be settled counts.
 */
export const countWaiting = async (
  connection: Connection,
  stream: string,
  { status, stats }: PersistentSubscriptionToStreamInfo,
  deadline: number,
): Promise<number> => {
  const last = await lastRevision(connection, stream, deadline);
  const known = stats.lastKnownEventRevision ?? -1n;
  const ready = stats.readBufferCount + stats.retryBufferCount + Math.max(0, Number(last - known));
  if (status.startsWith('Live')) return ready;
  const settled = stats.lastCheckpointedEventRevision ?? -1n;
  return Math.max(ready, Number(last - settled) - stats.totalInFlightMessages);
};

/** Revision of the last message of a region, -1 when there is none. */
export const lastRevision = async (connection: Connection, stream: string, deadline: number): Promise<bigint> => {
  const newest = { direction: BACKWARDS, fromRevision: END, maxCount: 1 } as const;
  const [found] = await readEvents(connection, stream, newest, deadline);
  return found?.event?.revision ?? -1n;
};

/**
 * Parked runs that have not expired, oldest first.
 *
 * @throws StoreUnavailable
 */
export const readParked = async (connection: Connection, stream: string, deadline: number): Promise<QueuedRun[]> => {
  // Parked messages are links; the runs themselves are in the region's stream.
  const newest = { direction: BACKWARDS, fromRevision: END, maxCount: PARKED_LIMIT, resolveLinkTos: true } as const;
  const found = await readEvents(connection, parkedStream(stream, GROUP), newest, deadline);
  return found.flatMap(({ event }) => (event ? [event.data as unknown as QueuedRun] : [])).reverse();
};
