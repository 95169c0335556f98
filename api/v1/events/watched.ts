import type { Logger } from 'pino';
import type { RecordedEvent } from '../../../domain/event.ts';
import { createMutex } from '../../../domain/mutex.ts';
import type { Broadcast } from '../../../http/media/broadcast.ts';
import type { Appending } from '../../../projections/engine/readers.ts';
import { ChangeList, type Change } from './changes.ts';
import type { Feed } from './feed.ts';
import { endTaken, isOfAccess, mayListen, sift, type FindCaller, type Member } from './members.ts';
import {
  beatText,
  contentOf,
  messagesFor,
  readyText,
  resetText,
  type MessageContent,
  type ReadRows,
} from './messages.ts';
import type { Place, PlaceTokens } from './position.ts';

/** An organization of which streams are open. */
export interface Watched {
  members: Set<Member>;
  /** Takes an event of the organization, with what it changed. */
  take: (event: RecordedEvent, changes: readonly Change[]) => void;
  /**
   * Begins a stream: what its client has missed, then what comes.
   *
   * @param since the id of the last event that the client has
   * @throws whatever the log throws
   */
  begin: (member: Member, since: string | null, stopping: AbortSignal | undefined) => Promise<void>;
  /** Sends a sign of life to those who still may listen, and ends the other streams. */
  beat: () => void;
}

export interface WatchedDependencies {
  streams: Broadcast<Member>;
  tokens: PlaceTokens;
  /** the log, while it is followed */
  feed: () => Feed | null;
  /** how rows are read that are as new as what was appended */
  readRows: (appended: Appending['appended']) => ReadRows;
  authenticate: FindCaller;
  logger: Pick<Logger, 'warn'>;
  timings: typeof STREAM_TIMINGS;
}

/** All in milliseconds. */
export const STREAM_TIMINGS = {
  /** after a first change, so that what one command does is one message */
  gather: 50,
  /** between two messages to an organization */
  gap: 1_000,
  /** until rows that could not be read are tried again */
  retry: 1_000,
  /** between signs of life, since proxies close silent connections, and between checks of who may still listen */
  beat: 15_000,
};

/** How often rows are tried before changes are sent without them. */
const MOST_ATTEMPTS = 3;

const WITHOUT_ROWS: ReadRows = async () => new Map();

export const createWatched = (id: string, dependencies: WatchedDependencies): Watched => {
  const { streams, tokens, feed, readRows, authenticate, logger, timings } = dependencies;
  const members = new Set<Member>();
  // Streams and messages begin one after another, so that no stream misses a message, or gets one before its beginning.
  const inTurn = createMutex();
  /** changes that were not sent yet */
  let changes = new ChangeList();
  /** positions of the events of these changes, by type: what is read for them must be as new */
  let appended = new Map<string, bigint>();
  /** somebody may have lost rights: all are checked before anything else is sent */
  let isSuspect = false;
  let isDue = false;
  let sentAt = -Infinity;
  let attempts = 0;
  /** what was read for the last client that came back: after a restart many come from the same place */
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

  const tell = async (): Promise<void> => {
    sentAt = performance.now();
    if (isSuspect) {
      isSuspect = false;
      await sift(members, authenticate);
    }
    const place = feed()?.last();
    if (!place || members.size === 0 || changes.size === 0) return;
    const [taken, positions] = [changes, appended];
    [changes, appended] = [new ChangeList(), new Map<string, bigint>()];
    try {
      const rows = attempts < MOST_ATTEMPTS ? readRows(new Map([['main', positions]])) : WITHOUT_ROWS;
      const content = await contentOf(taken.list(), rows);
      const position = await tokens.seal(id, place);
      attempts = 0;
      await publish((audience) => messagesFor(content, audience, position));
    } catch (error) {
      attempts += 1;
      logger.warn({ err: error }, 'changes could not be sent to streams of events; they are tried again');
      // What has come meanwhile comes after it.
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
      void inTurn(tell);
    }, pause).unref();
  };

  /** What has changed since a place; null: that is not known. */
  const missedSince = async (own: Feed, since: string, upTo: Place): Promise<MessageContent | null> => {
    const place = await tokens.open(id, since);
    const missed = place && (await own.since(id, place).catch(() => null));
    if (!missed) return null;
    const rows = readRows(new Map([['main', upTo.position]]));
    return contentOf(missed, rows).catch(() => contentOf(missed, WITHOUT_ROWS));
  };

  const sharedMissedSince = (own: Feed, since: string, upTo: Place): Promise<MessageContent | null> => {
    const from = `${since} ${upTo.position.toString()}`;
    if (missedLast?.from === from) return missedLast.content;
    const content = missedSince(own, since, upTo);
    missedLast = { from, content };
    content.catch(() => {
      if (missedLast?.content === content) missedLast = null;
    });
    return content;
  };

  const beginningOf = async ({ audience }: Member, own: Feed, since: string | null): Promise<string> => {
    // What changes meanwhile is sent again.
    const upTo = own.last();
    const position = await tokens.seal(id, upTo);
    if (since === null) return readyText(position);
    const content = await sharedMissedSince(own, since, upTo);
    return (content ? messagesFor(content, audience, position) : resetText(null, position)) + readyText(position);
  };

  return {
    members,

    take: (event, these) => {
      if (isOfAccess(event)) {
        endTaken(event, members);
        isSuspect = true;
      } else if (these.length === 0) return;
      changes.add(these);
      if (these.length > 0) appended.set(event.type, event.position);
      schedule();
    },

    begin: (member, since, stopping) =>
      inTurn(async () => {
        const own = feed();
        const { response } = member;
        if (!own) throw new Error('The log is not followed.');
        if (response.destroyed) return;
        await own.started;
        const beginning = await beginningOf(member, own, since);
        // Rights may have been taken before the stream was among those that are checked.
        if (!(await mayListen(member, authenticate))) response.end();
        else if (!response.writableEnded) {
          streams.stream(channelOf(member.audience), member, () => beginning).attach(response, stopping);
        }
      }),

    beat: () => {
      inTurn(async () => {
        await sift(members, authenticate);
        const place = feed()?.last();
        if (!place || changes.size > 0) return;
        // A new position, since what happens elsewhere makes the old one too old.
        const position = await tokens.seal(id, place);
        await publish(() => beatText(position));
      }).catch((error: unknown) => {
        logger.warn({ err: error }, 'no sign of life could be sent to streams of events');
      });
    },
  };
};
