import type { Logger } from 'pino';
import type { RecordedEvent } from '../../../domain/event.ts';
import type { Instant } from '../../../domain/time.ts';
import { HttpError } from '../../../http/errors.ts';
import { createBroadcast } from '../../../http/media/broadcast.ts';
import type { AttachedStream } from '../../../http/media/content.ts';
import type { ReadContext, Readers } from '../../../projections/engine/readers.ts';
import type { Statuses } from '../../../projections/engine/status/statuses.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import type { Keys } from '../../../stores/keys/port.ts';
import type { ResourceChange } from './changes.ts';
import { createChangeFeed, type ChangeFeed } from './change-feed.ts';
import {
  streamCountKey,
  createMember,
  type FindCaller,
  type StreamCaller,
  type StreamMember,
} from './stream-members.ts';
import { retryText, type ReadRows } from './messages.ts';
import { createPositionTokens } from './position-tokens.ts';
import { readListRows } from './rows.ts';
import { createOrganizationStreams, STREAM_TIMINGS, type OrganizationStreams } from './organization-streams.ts';

/** Event streams with the changes of organizations. */
export interface EventStreams {
  /**
   * Opens a stream of server-sent events (docs/reference/events.md).
   *
   * @param since id of the newest message that the client has received; null for a new client
   * @throws HttpError 429 if the caller or the organization has reached its limit of streams
   */
  open: (listening: StreamCaller, since: string | null) => AttachedStream;
}

export interface EventStreamsDependencies {
  main: Pick<EventStore, 'readAll' | 'subscribe'>;
  statuses: Pick<Statuses, 'all'>;
  readers: Pick<Readers, 'for'>;
  authenticate: FindCaller;
  keys: Pick<Keys, 'fingerprint'>;
  addressOf: (path: string) => string;
  /** Returns the current time. */
  instant: () => Instant;
  /** Returns the start of the retention period of results. */
  resultsFrom: () => Instant;
  logger: Pick<Logger, 'warn'>;
  /** Overrides the default times in tests. */
  timings?: Partial<typeof STREAM_TIMINGS>;
  limits?: Partial<typeof EVENT_STREAM_LIMITS>;
}

/** Maximum number of open streams in one process. */
export const EVENT_STREAM_LIMITS = { perOrganization: 1_000, perCaller: 50 };

/**
 * Maximum number of bytes that a client has not read yet. A client with more unread bytes is disconnected, and can
 * reconnect.
 */
const MOST_UNREAD = 262_144;
const RETRY_AFTER = { 'Retry-After': '30' };

/**
 * Creates the event streams of a process. They all share one subscription to the log `main` and one timer. Changes are
 * collected by organization, and a message is encoded once for all callers with the same permissions.
 */
export const createEventStreams = (dependencies: EventStreamsDependencies): EventStreams => {
  const { main, statuses, readers, authenticate, keys, addressOf, instant, resultsFrom, logger } = dependencies;
  const { perOrganization, perCaller } = { ...EVENT_STREAM_LIMITS, ...dependencies.limits };
  const timings = { ...STREAM_TIMINGS, ...dependencies.timings };
  const streams = createBroadcast<StreamMember>({ mostUnread: MOST_UNREAD });
  const tokens = createPositionTokens((kind, text) => keys.fingerprint(kind, text));
  const watched = new Map<string, OrganizationStreams>();
  let feed: ChangeFeed | null = null;
  let beating: NodeJS.Timeout | null = null;

  const readingRows =
    (organizationId: string) =>
    (appended: ReadContext['appended']): ReadRows =>
    (resource, ids) =>
      readListRows(
        resource,
        { read: readers.for({ appended }), organizationId, now: instant(), resultsFrom, addressOf },
        ids,
      );

  const newlyWatched = (organizationId: string): OrganizationStreams =>
    createOrganizationStreams(organizationId, {
      streams,
      tokens,
      feed: () => feed,
      readRows: readingRows(organizationId),
      authenticate,
      logger,
      timings,
    });

  const take = (event: RecordedEvent, changes: readonly ResourceChange[]): void => {
    watched.get(event.metadata.organization_id ?? '')?.processEvent(event, changes);
  };

  const stopFeed = (): void => {
    feed?.stop();
    feed = null;
  };

  /** Ends all streams when the log cannot be followed. Clients reconnect and then get the changes that they missed. */
  const endAll = (error: unknown): void => {
    logger.warn({ err: error }, 'event streams closed: the event log cannot be followed; clients reconnect');
    stopFeed();
    for (const { members } of watched.values()) for (const { response } of members) response.end();
  };

  /** Returns a position near the end of the log: the position of the most advanced read model. */
  const nearEnd = (): bigint =>
    statuses.all().reduce((most, { log, position }) => (log === 'main' && position > most ? position : most), 0n);

  const beat = (): void => {
    beating = setTimeout(beat, timings.beat).unref();
    for (const one of watched.values()) one.keepAlive();
  };

  const enter = (member: StreamMember): OrganizationStreams => {
    const one = watched.get(member.organizationId) ?? newlyWatched(member.organizationId);
    watched.set(member.organizationId, one);
    one.members.add(member);
    feed ??= createChangeFeed({ main, from: nearEnd(), onEvent: take, onFailure: endAll });
    beating ??= setTimeout(beat, timings.beat).unref();
    return one;
  };

  const leave = (one: OrganizationStreams, member: StreamMember): void => {
    const { organizationId } = member;
    one.members.delete(member);
    if (one.members.size > 0 || watched.get(organizationId) !== one) return;
    watched.delete(organizationId);
    if (watched.size > 0) return;
    stopFeed();
    clearTimeout(beating ?? undefined);
    beating = null;
  };

  return {
    open: (listening, since) => {
      const members = [...(watched.get(listening.organizationId)?.members ?? [])];
      if (members.length >= perOrganization) throw tooMany('of this organization are open.');
      const caller = streamCountKey(listening);
      if (members.filter((member) => streamCountKey(member) === caller).length >= perCaller) {
        throw tooMany('are open for this user or API key.');
      }
      return {
        attach: (response, stopping) => {
          const member = createMember(listening, response);
          const one = enter(member);
          response.once('close', () => {
            leave(one, member);
          });
          if (response.destroyed) leave(one, member);
          response.write(retryText());
          one.startStream(member, since, stopping).catch((error: unknown) => {
            logger.warn({ err: error }, 'an event stream could not start');
            response.end();
          });
        },
      };
    },
  };
};

const tooMany = (which: string): HttpError =>
  new HttpError(429, `Too many streams of events ${which}`, { headers: RETRY_AFTER });
