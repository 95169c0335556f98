import { LRUCache } from 'lru-cache';
import { categoryOf } from '../../domain/decider.ts';
import { byPosition, type RecordedEvent } from '../../domain/event.ts';
import type { Instant } from '../../domain/time.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { readAmongAll, readStreams } from './whole-streams.ts';
import { createStreamDirectory, isBelowPages, type StreamOwner } from './stream-directory.ts';

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
  /** Returns all events of an owner in streams of these categories. */
  all: (owner: Owner, categories: readonly string[]) => Promise<readonly RecordedEvent[]>;
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

/** Categories from which most read models of a page are folded. */
export const OF_PAGES = ['page', 'incident'] as const;
/** Reading a stream costs about as much as skipping this many events of other streams. */
const EVENTS_PER_STREAM = 8;
/**
 * Maximum number of cached events, of all owners. One owner may use up to all of them; longer lists are read anew for
 * each request. An event takes about 2 KB of memory.
 */
const MOST_EVENTS = 100_000;
/** Milliseconds after which unused events are dropped. */
const IDLE_MS = 300_000;

/** The events of an owner in one category that have been read. */
interface EventList {
  events: readonly RecordedEvent[];
  /** number of events that have been read of each stream */
  read: ReadonlyMap<string, number>;
}

const NOTHING_READ: EventList = { events: [], read: new Map() };

/**
 * Creates a source of the events from which past states are folded. It reads nothing without a request, and caches the
 * events of the most recent requests for some minutes, by owner and category.
 */
export const createPastEvents = (main: Pick<EventStore, 'readAll' | 'readStream'>): PastEventsSource => {
  const directory = createStreamDirectory(main);
  const lists = new LRUCache<string, EventList>({
    maxSize: MOST_EVENTS,
    ttl: IDLE_MS,
    ttlAutopurge: true,
    updateAgeOnGet: true,
  });
  /**
   * The last merged lists of several categories. They share their events with the lists of the categories. One list
   * serves all reads until one of its parts grows.
   */
  const merged = new LRUCache<string, { parts: readonly EventList[]; events: readonly RecordedEvent[] }>({
    maxSize: MOST_EVENTS,
    ttl: IDLE_MS,
    ttlAutopurge: true,
    updateAgeOnGet: true,
  });

  const keyOf = (owner: Owner, category: string): string => {
    const { organizationId, pageId, only = {} } = owner;
    const named = only[category];
    return JSON.stringify([category, organizationId, named ?? (isBelowPages(category) ? pageId : undefined)]);
  };

  /** Stores the list of a category with further events, which continue its streams. */
  const extend = (key: string, list: EventList, added: RecordedEvent[]): EventList => {
    const extended = added.length === 0 ? list : withEvents(list, added);
    lists.set(key, extended, { size: extended.events.length + 1 });
    return extended;
  };

  /**
   * Reads what was appended to the streams of an owner after the events of the lists. The pass that finds the streams also
   * collects their events, so that the first request reads the log once.
   */
  const readFurther = async (
    owner: Owner,
    before: ReadonlyMap<string, EventList>,
  ): Promise<{ end: bigint; added: Map<string, RecordedEvent[]> }> => {
    const added = new Map<string, RecordedEvent[]>([...before.keys()].map((category) => [category, []]));
    if (before.size === 0) return { end: 0n, added };
    const end = await directory.extend({ owner, collected: added });
    const lacking = new Map<string, string[]>();
    for (const [category, list] of before) {
      const lengths = lengthsOf(list, added.get(category) ?? []);
      const streams = directory
        .streamsOf(owner, category)
        .filter((stream) => directory.lengthOf(stream) > (lengths.get(stream) ?? 0));
      if (streams.length > 0) lacking.set(category, streams);
    }
    const streams = [...lacking.values()].flat();
    if (streams.length === 0) return { end, added };
    const unread = [...lacking.keys()].map((category) => before.get(category) ?? NOTHING_READ);
    const inAll = [...lacking.keys()].reduce((sum, category) => sum + directory.eventsIn(category), 0);
    const areFew = unread.some(({ read }) => read.size > 0) || streams.length * EVENTS_PER_STREAM < inAll;
    const events = areFew
      ? await readStreams(main, streams, new Map(unread.flatMap(({ read }) => [...read])))
      : await readAmongAll(main, [...lacking.keys()], streams);
    const again = new Set(streams);
    for (const category of lacking.keys())
      added.set(category, added.get(category)?.filter(({ stream }) => !again.has(stream)) ?? []);
    for (const event of events) added.get(categoryOf(event.stream))?.push(event);
    return { end, added };
  };

  const listsOf = async (owner: Owner, categories: readonly string[]): Promise<{ parts: EventList[]; end: bigint }> => {
    const { organizationId, only = {} } = owner;
    // The first pass also collects what the other read models of the page will need.
    const together = directory.isRead() || owner.pageId === undefined ? [] : OF_PAGES;
    const before = new Map(
      [...new Set([...categories, ...together])].map((category) => [
        category,
        lists.get(keyOf(owner, category)) ?? NOTHING_READ,
      ]),
    );
    const { end, added } = await readFurther(
      owner,
      new Map([...before].filter(([category]) => only[category] === undefined)),
    );
    for (const [category, { read }] of before) {
      const streams = only[category];
      if (!streams) continue;
      const named = await readStreams(main, streams, read);
      added.set(
        category,
        named.filter(({ metadata }) => metadata.organization_id === organizationId),
      );
    }
    const extended = new Map(
      [...before].map(([category, list]) => [
        category,
        extend(keyOf(owner, category), list, added.get(category) ?? []),
      ]),
    );
    const parts = categories.map((category) => extended.get(category) ?? NOTHING_READ);
    return { parts, end };
  };

  /** Returns the events of an owner in some categories, in the order of the log, and the end of the log. */
  const listOf = async (owner: Owner, unsorted: readonly string[]): Promise<EventsUpToEnd> => {
    const categories = [...new Set(unsorted)].sort();
    const { parts, end } = await listsOf(owner, categories);
    const [first = NOTHING_READ] = parts;
    if (parts.length <= 1) return { events: first.events, end };
    const key = JSON.stringify(categories.map((category) => keyOf(owner, category)));
    const known = merged.get(key);
    if (known?.parts.every((part, index) => part === parts[index])) return { events: known.events, end };
    const events = parts.flatMap((part) => part.events).sort(byPosition);
    merged.set(key, { parts, events }, { size: events.length + 1 });
    return { events, end };
  };

  return {
    ofOwner: async (owner, categories, at, also = []) => {
      const { events: all } = await listOf(owner, categories);
      const count = countUntil(at, all);
      return { all, count, further: also.length === 0 ? [] : furtherOf(all, count, new Set(also)) };
    },
    all: async (owner, categories) => (await listOf(owner, categories)).events,
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

const withEvents = ({ events, read }: EventList, added: RecordedEvent[]): EventList => {
  const counts = new Map(read);
  for (const { stream } of added) counts.set(stream, (counts.get(stream) ?? 0) + 1);
  return { events: merge(events, added.sort(byPosition)), read: counts };
};

/** Returns the number of known events of each stream: those of a list, and further ones that continue it. */
const lengthsOf = ({ read }: EventList, further: readonly RecordedEvent[]): ReadonlyMap<string, number> => {
  const lengths = new Map(read);
  for (const { stream, revision } of further)
    if (Number(revision) === (lengths.get(stream) ?? 0)) lengths.set(stream, Number(revision) + 1);
  return lengths;
};

/**
 * Returns a list with further events, in the order of the log. A further event can have a lower position than an event
 * that was read before, because the streams are not read at the same moment.
 */
const merge = (events: readonly RecordedEvent[], added: readonly RecordedEvent[]): RecordedEvent[] => {
  const merged = [...events, ...added];
  const isInOrder = (added[0]?.position ?? 0n) > (events.at(-1)?.position ?? 0n);
  return isInOrder ? merged : merged.sort(byPosition);
};
