import type { Logger } from 'pino';
import type { RecordedEvent } from '../../../domain/event.ts';
import { createMutex } from '../../../domain/concurrency/mutex.ts';
import type { Broadcast } from '../../../http/media/broadcast.ts';
import type { ReadContext } from '../../../projections/engine/readers.ts';
import { ChangeList, type ResourceChange } from './changes.ts';
import type { ChangeFeed } from './change-feed.ts';
import {
  endRevokedStreams,
  isAccessEvent,
  hasAccess,
  endUnauthorizedStreams,
  type FindCaller,
  type StreamMember,
} from './stream-members.ts';
import {
  keepAliveText,
  contentOf,
  messagesFor,
  readyText,
  resetText,
  type MessageContent,
  type ReadRows,
} from './messages.ts';
import type { LogPosition, PositionTokens } from './position-tokens.ts';

/** The open streams of one organization. */
export interface OrganizationStreams {
  members: Set<StreamMember>;
  /** Processes an event of the organization, with its changes. */
  processEvent: (event: RecordedEvent, changes: readonly ResourceChange[]) => void;
  /**
   * Starts a stream. Sends the changes that the client has missed, and adds the stream to the members.
   *
   * @param since id of the newest message that the client has received; null for a new client
   * @throws any error of the log
   */
  startStream: (member: StreamMember, since: string | null, stopping: AbortSignal | undefined) => Promise<void>;
  /** Ends the streams of callers without permission, and sends a keep-alive to all other streams. */
  keepAlive: () => void;
}

export interface OrganizationStreamsDependencies {
  streams: Broadcast<StreamMember>;
  tokens: PositionTokens;
  /** Returns the change feed, or null while the log is not followed. */
  feed: () => ChangeFeed | null;
  /** Creates a function that waits until the read models contain the events in `appended`, and then reads rows. */
  readRows: (appended: ReadContext['appended']) => ReadRows;
  authenticate: FindCaller;
  logger: Pick<Logger, 'warn'>;
  timings: typeof STREAM_TIMINGS;
}

/** Times in milliseconds. */
export const STREAM_TIMINGS = {
  /** Delay after the first change, so that all changes of a command are sent in one message. */
  gather: 50,
  /** minimum time between two messages to an organization */
  gap: 1_000,
  /** delay before a retry if rows could not be read */
  retry: 1_000,
  /**
   * Time between two keep-alives, and between two permission checks. Without keep-alives, proxies close the connection.
   */
  beat: 15_000,
};

/** Maximum number of attempts to read rows. After that, changes are sent without rows. */
const MOST_ATTEMPTS = 3;

const WITHOUT_ROWS: ReadRows = async () => new Map();

export const createOrganizationStreams = (
  id: string,
  dependencies: OrganizationStreamsDependencies,
): OrganizationStreams => {
  const { streams, tokens, feed, readRows, authenticate, logger, timings } = dependencies;
  const members = new Set<StreamMember>();
  // Stream starts and messages run one after another. Otherwise a stream that is just starting could miss a message, or
  // receive a message before its start is complete.
  const inTurn = createMutex();
  /** Changes that were not sent yet. */
  let changes = new ChangeList();
  /**
   * Positions of the events that caused `changes`, by event type. The read models must have reached these positions
   * before rows are read.
   */
  let appended = new Map<string, bigint>();
  /** Whether a member might have lost access. If so, the access of all members is checked before the next message. */
  let isSuspect = false;
  let isDue = false;
  let sentAt = -Infinity;
  let attempts = 0;
  /**
   * The missed changes that were read for the client that connected most recently. The next client can reuse them,
   * because after a restart many clients reconnect from the same position.
   */
  let missedLast: { from: string; content: Promise<MessageContent | null> } | null = null;

  const channelOf = (audience: string): string => `${id} ${audience}`;

  const publish = (textFor: (audience: string) => string): Promise<unknown> => {
    const audiences = new Set([...members].map(({ audience }) => audience));
    const sent = [...audiences].map(async (audience) => {
      const text = textFor(audience);
      if (text !== '') await streams.publish(channelOf(audience), text);
    });
    return Promise.all(sent);
  };

  const sendChanges = async (): Promise<void> => {
    sentAt = performance.now();
    if (isSuspect) {
      isSuspect = false;
      await endUnauthorizedStreams(members, authenticate);
    }
    const latest = feed()?.last();
    if (!latest || members.size === 0 || changes.size === 0) return;
    const [taken, positions] = [changes, appended];
    [changes, appended] = [new ChangeList(), new Map<string, bigint>()];
    try {
      const rows = attempts < MOST_ATTEMPTS ? readRows(new Map([['main', positions]])) : WITHOUT_ROWS;
      const content = await contentOf(taken.list(), rows);
      const position = await tokens.encrypt(id, latest);
      attempts = 0;
      await publish((audience) => messagesFor(content, audience, position));
    } catch (error) {
      attempts += 1;
      logger.warn({ err: error }, 'changes could not be sent to event streams; retrying');
      // `changes` contains the changes that arrived during the attempt. They are newer than those in `taken`, so they
      // are added to `taken`, not the other way round.
      taken.add(changes.list());
      [changes, appended] = [taken, new Map([...positions, ...appended])];
      schedule(timings.retry);
    }
  };

  const schedule = (pause = Math.max(timings.gather, sentAt + timings.gap - performance.now())): void => {
    if (isDue) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      void inTurn(sendChanges);
    }, pause).unref();
  };

  /** Returns the changes since a position, or null if the change feed cannot supply them. */
  const missedSince = async (own: ChangeFeed, since: string, upTo: LogPosition): Promise<MessageContent | null> => {
    const start = await tokens.decrypt(id, since);
    const missed = start && (await own.changesSince(id, start).catch(() => null));
    if (!missed) return null;
    const rows = readRows(new Map([['main', upTo.position]]));
    return contentOf(missed, rows).catch(() => contentOf(missed, WITHOUT_ROWS));
  };

  const sharedMissedSince = (own: ChangeFeed, since: string, upTo: LogPosition): Promise<MessageContent | null> => {
    const from = `${since} ${upTo.position}`;
    if (missedLast?.from === from) return missedLast.content;
    const content = missedSince(own, since, upTo);
    missedLast = { from, content };
    content.catch(() => {
      if (missedLast?.content === content) missedLast = null;
    });
    return content;
  };

  const beginningOf = async ({ audience }: StreamMember, own: ChangeFeed, since: string | null): Promise<string> => {
    // The position is read before the changes. So a change that is made between the two reads is sent twice, but none
    // is lost.
    const upTo = own.last();
    const position = await tokens.encrypt(id, upTo);
    if (since === null) return readyText(position);
    const content = await sharedMissedSince(own, since, upTo);
    return (content ? messagesFor(content, audience, position) : resetText(null, position)) + readyText(position);
  };

  return {
    members,

    processEvent: (event, these) => {
      if (isAccessEvent(event)) {
        endRevokedStreams(event, members);
        isSuspect = true;
      } else if (these.length === 0) return;
      changes.add(these);
      if (these.length > 0) appended.set(event.type, event.position);
      schedule();
    },

    startStream: (member, since, stopping) =>
      inTurn(async () => {
        const own = feed();
        const { response } = member;
        if (!own) throw new Error('The event log is not being followed.');
        if (response.destroyed) return;
        await own.started;
        const beginning = await beginningOf(member, own, since);
        // Only members are informed of revocations, and this stream is not a member yet. So check whether its access
        // was revoked during the start.
        if (!(await hasAccess(member, authenticate))) response.end();
        else if (!response.writableEnded) {
          streams.stream(channelOf(member.audience), member, () => beginning).attach(response, stopping);
        }
      }),

    keepAlive: () => {
      inTurn(async () => {
        await endUnauthorizedStreams(members, authenticate);
        const latest = feed()?.last();
        if (!latest || changes.size > 0) return;
        // The keep-alive contains the newest position. Otherwise, while only other organizations append events, the
        // client's position would become too old to reconnect from.
        const position = await tokens.encrypt(id, latest);
        await publish(() => keepAliveText(position));
      }).catch((error: unknown) => {
        logger.warn({ err: error }, 'keep-alive could not be sent to event streams');
      });
    },
  };
};
