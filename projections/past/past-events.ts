import { LRUCache } from 'lru-cache';
import { timeSlices } from '../../domain/concurrency/time-slices.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import type { Instant } from '../../domain/time.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { readUntilEnd } from '../engine/feed/log-end.ts';
import { createStreamDirectory, type StreamOwner } from './stream-directory.ts';

/** The owner of the events from which a past state is folded. */
export interface Owner extends StreamOwner {
  /** the streams to read, by category; for a category that is absent, all streams of the owner are read */
  only?: Readonly<Record<string, readonly string[]>>;
}

/** Events up to a moment, in the order of the log. */
export interface PastEvents {
  /** all events of the owner in these categories; only the first `count` belong to the past state */
  all: readonly RecordedEvent[];
  count: number;
  /** later events that belong to the past state too, because of their types */
  further: readonly RecordedEvent[];
}

export interface PastEventsSource {
  /**
   * Returns the events of an owner in streams of these categories, up to a moment.
   *
   * @param also event types whose later events are returned too, from streams that existed at that moment
   */
  ofOwner: (owner: Owner, categories: readonly string[], at: Instant, also?: readonly string[]) => Promise<PastEvents>;
  /**
   * Returns all events of an owner in streams of these categories up to the present end of the log. There are no gaps
   * among these events, although the streams are not read at the same moment.
   */
  upToEnd: (owner: Owner, categories: readonly string[]) => Promise<EventsUpToEnd>;
}

/** Events in the order of the log, and the position of the newest event of the log. */
export interface EventsUpToEnd {
  events: readonly RecordedEvent[];
  end: bigint;
}

const PAGE = 1_000;
/** Number of streams that are read concurrently. */
const CONCURRENT_STREAMS = 32;
/** Reading a stream costs about as much as skipping this many events of other streams. */
const EVENTS_PER_STREAM = 8;
/** Maximum number of cached events, of all owners. */
const MOST_EVENTS = 30_000;
/** Milliseconds after which unused events are dropped. */
const IDLE_MS = 300_000;

/** The events of an owner that have been read. */
interface EventList {
  events: readonly RecordedEvent[];
  /** number of events that have been read of each stream */
  read: ReadonlyMap<string, number>;
  /** position up to which no event is missing; 0n if only named streams are read */
  end: bigint;
}

const NOTHING_READ: EventList = { events: [], read: new Map(), end: 0n };

/**
 * Creates a source of the events from which past states are folded. It reads nothing without a request, and caches the
 * events of the most recent requests for some minutes.
 */
export const createPastEvents = (main: Pick<EventStore, 'readAll' | 'readStream'>): PastEventsSource => {
  const directory = createStreamDirectory(main);
  const lists = new LRUCache<string, EventList>({
    maxSize: MOST_EVENTS,
    ttl: IDLE_MS,
    ttlAutopurge: true,
    updateAgeOnGet: true,
  });

  const inStreams = async (streams: readonly string[], read: ReadonlyMap<string, number>): Promise<RecordedEvent[]> => {
    const pause = timeSlices();
    const events: RecordedEvent[] = [];
    for (let first = 0; first < streams.length; first += CONCURRENT_STREAMS) {
      const some = await Promise.all(
        streams
          .slice(first, first + CONCURRENT_STREAMS)
          .map((stream) => readWholeStream(main, stream, read.get(stream) ?? 0)),
      );
      for (const own of some) events.push(...own);
      await pause();
    }
    return events;
  };

  /** Reads the events of streams by reading all events of their categories. */
  const amongAll = async (categories: readonly string[], streams: readonly string[]): Promise<RecordedEvent[]> => {
    const wanted = new Set(streams);
    const events: RecordedEvent[] = [];
    const pause = timeSlices();
    for await (const page of readUntilEnd(main, 0n, categories)) {
      for (const event of page) if (wanted.has(event.stream)) events.push(event);
      await pause();
    }
    return events;
  };

  /** Returns a list with the events that were appended to the streams of its owner after the list was read. */
  const extend = async (list: EventList, owner: Owner, categories: readonly string[]): Promise<EventList> => {
    const { organizationId, only = {} } = owner;
    const whole = categories.filter((category) => only[category] === undefined);
    const end = whole.length > 0 ? await directory.extend() : 0n;
    const { read } = list;
    const streams = whole
      .flatMap((category) => directory.streamsOf(owner, category))
      .filter((stream) => directory.lengthOf(stream) > (read.get(stream) ?? 0));
    const inAll = whole.reduce((sum, category) => sum + directory.eventsIn(category), 0);
    const areFew = read.size > 0 || streams.length * EVENTS_PER_STREAM < inAll;
    const added = areFew ? await inStreams(streams, read) : await amongAll(whole, streams);
    const named = await inStreams(
      categories.flatMap((category) => only[category] ?? []),
      read,
    );
    added.push(...named.filter(({ metadata }) => metadata.organization_id === organizationId));
    if (added.length === 0) return { ...list, end };
    const counts = new Map(read);
    for (const { stream } of added) counts.set(stream, (counts.get(stream) ?? 0) + 1);
    return { events: merge(list.events, added.sort(byPosition)), read: counts, end };
  };

  const listOf = async (owner: Owner, categories: readonly string[]): Promise<EventList> => {
    const key = JSON.stringify([owner, [...categories].sort()]);
    const list = await extend(lists.get(key) ?? NOTHING_READ, owner, categories);
    lists.set(key, list, { size: list.events.length + 1 });
    return list;
  };

  return {
    ofOwner: async (owner, categories, at, also = []) => {
      const { events: all } = await listOf(owner, categories);
      const count = countUntil(at, all);
      return { all, count, further: also.length === 0 ? [] : furtherOf(all, count, new Set(also)) };
    },
    upToEnd: async (owner, categories) => {
      const { events: all, end } = await listOf(owner, categories);
      const count = all.findLastIndex(({ position }) => position <= end) + 1;
      return { events: count === all.length ? all : all.slice(0, count), end };
    },
  };
};

/**
 * Counts the events up to the newest event that was recorded at or before a moment. An event among them may have a
 * later time. Such an event was recorded by a clock that was ahead, so it counts too.
 */
const countUntil = (at: Instant, events: readonly RecordedEvent[]): number =>
  events.findLastIndex(({ metadata }) => metadata.recorded_at <= at) + 1;

const furtherOf = (
  events: readonly RecordedEvent[],
  count: number,
  types: ReadonlySet<string>,
): readonly RecordedEvent[] => {
  const later = events.slice(count).filter(({ type }) => types.has(type));
  if (later.length === 0) return later;
  const existing = new Set(events.slice(0, count).map(({ stream }) => stream));
  return later.filter(({ stream }) => existing.has(stream));
};

const byPosition = (one: RecordedEvent, other: RecordedEvent): number => (one.position < other.position ? -1 : 1);

/**
 * Returns a list with further events, in the order of the log. A further event can have a lower position than an event
 * that was read before, because the streams are not read at the same moment.
 */
const merge = (events: readonly RecordedEvent[], added: readonly RecordedEvent[]): RecordedEvent[] => {
  const merged = [...events, ...added];
  const isInOrder = (added[0]?.position ?? 0n) > (events.at(-1)?.position ?? 0n);
  return isInOrder ? merged : merged.sort(byPosition);
};

/** Returns the events of a stream from a revision on, oldest first. */
export const readWholeStream = async (
  store: Pick<EventStore, 'readStream'>,
  stream: string,
  from = 0,
): Promise<RecordedEvent[]> => {
  const events: RecordedEvent[] = [];
  for (;;) {
    const page = await store.readStream(stream, { from: BigInt(from + events.length), limit: PAGE });
    events.push(...page);
    if (page.length < PAGE) return events;
  }
};
