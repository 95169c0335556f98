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

/** Name of the only consumer group of each region's stream. Its consumers are the region's workers. */
export const GROUP = 'workers';

/** What the server does with a message that was not handled. */
export const NOT_HANDLED = { retry: RETRY, park: PARK } as const;

/** Age in seconds at which the server removes runs: if no worker has accepted a run within an hour, it is useless. */
const MAX_AGE_SECONDS = 3_600;
/** Number of messages that the server buffers for the workers of a region. */
const BUFFER = 1_000;
/** Maximum number of parked runs that are shown. These are the newest ones. */
const PARKED_LIMIT = 1_000;

/** Returns the name of a region's stream on the server. */
export const streamOfRegion = (prefix: string, region: string): string => `${prefix}${QUEUE_CATEGORY}-${region}`;

/** Returns the region of a stream; null if the stream is not a queue of this service. */
export const regionOfStream = (prefix: string, stream: string): string | null => {
  const start = streamOfRegion(prefix, '');
  return stream.startsWith(start) ? stream.slice(start.length) : null;
};

export interface GroupSettings {
  /** milliseconds after which an unacknowledged message goes to another worker */
  messageTimeout: number;
  retries: number;
  /** timeout of each call, in milliseconds */
  deadline: number;
}

/**
 * Creates a region's stream and group if they do not exist. An existing group stays unchanged, except that its message
 * time-out is raised if it is too short: otherwise messages would be delivered again while their runs are in progress.
 *
 * @throws StoreUnavailable
 */
export const createQueue = async (
  connection: Connection,
  stream: string,
  { messageTimeout, retries, deadline }: GroupSettings,
): Promise<void> => {
  await setMaxAge(connection, stream, MAX_AGE_SECONDS, deadline).catch((error: unknown) => {
    // If the user lacks the right to set a maximum age, the stream grows without limit. The queue still works, because
    // each run contains the time after which it is dropped.
    if (!(error instanceof RightMissing)) throw error;
    connection.reportFailure(error);
  });
  const settings = persistentSubscriptionToStreamSettingsFromDefaults({
    // Includes runs that were offered before the group was created.
    startFrom: START,
    messageTimeout,
    maxRetryCount: retries,
    consumerStrategyName: ROUND_ROBIN,
    historyBufferSize: BUFFER,
    liveBufferSize: BUFFER,
    readBatchSize: 100,
    // With a checkpoint every second, a restart of the server repeats only messages acknowledged within the last
    // second.
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

/**
 * Raises the message time-out of a group. The change disconnects all consumers of the group once, and they reconnect.
 */
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

/** @throws the client's errors; StoreUnavailable if the server does not respond */
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
 * Counts the messages that wait for a worker. The server reports how many messages it has buffered, and up to which
 * revision it has read the stream. Messages after this revision are waiting too. If a group lags behind, the server
 * does not report how many messages it has not read yet. In this case, every message counts as waiting unless it is
 * known to be acknowledged or parked.
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

/** Returns the revision of the last message of a region; -1 if there is none. */
export const lastRevision = async (connection: Connection, stream: string, deadline: number): Promise<bigint> => {
  const newest = { direction: BACKWARDS, fromRevision: END, maxCount: 1 } as const;
  const [found] = await readEvents(connection, stream, newest, deadline);
  return found?.event?.revision ?? -1n;
};

/**
 * Returns the parked runs that have not expired, oldest first.
 *
 * @throws StoreUnavailable
 */
export const readParked = async (connection: Connection, stream: string, deadline: number): Promise<QueuedRun[]> => {
  // Parked messages are links to the messages in the region's stream, which contain the runs.
  const newest = { direction: BACKWARDS, fromRevision: END, maxCount: PARKED_LIMIT, resolveLinkTos: true } as const;
  const found = await readEvents(connection, parkedStream(stream, GROUP), newest, deadline);
  return found.flatMap(({ event }) => (event ? [event.data as unknown as QueuedRun] : [])).reverse();
};
