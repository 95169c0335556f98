import { createKeyedMutex, createMutex } from '../../domain/concurrency/mutex.ts';
import { timeSlices } from '../../domain/concurrency/time-slices.ts';
import { categoryOf } from '../../domain/decider.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import type { Instant } from '../../domain/time.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { createEventListCache, lengthsOf, NOTHING_READ, withEvents, type EventList } from './event-lists.ts';
import { mergedInLogOrder } from './log-order.ts';
import { checkStreamsOf } from './page-checks.ts';
import { readAmongAll, readStreams } from './whole-streams.ts';
import { createStreamDirectory, isBelowPages, type StreamOwner } from './stream-directory.ts';

/**
 * The owner of the events from which a past state is folded. For a page, only those checks are read that its components
 * have ever had.
 */
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
 * Maximum number of cached events, of all owners. One owner may use up to all of them. Longer lists are only shared by
 * the requests that use them at the same time. An event takes about 2 KB of memory.
 */
const MOST_EVENTS = 100_000;
/** The category whose streams follow from the components of a page. */
const CHECK = 'check';

/**
 * Creates a source of the events from which past states are folded. It reads nothing without a request, and caches the
 * events of the most recent requests for some minutes, by owner and category. Requests for the same owner are served one
 * after another, so that each event is read only once. Lists that are too long for the cache are read one at a time.
 *
 * @throws from all functions: DamagedEvent, UnknownEvent the log has an unreadable event, so that events may be missing
 */
export const createPastEvents = (
  main: Pick<EventStore, 'readAll' | 'readStream'>,
  mostEvents = MOST_EVENTS,
): PastEventsSource => {
  const directory = createStreamDirectory(main);
  const lists = createEventListCache<EventList>(mostEvents);
  /**
   * The last merged lists of several categories. They share their events with the lists of the categories. One list
   * serves all reads until one of its parts grows.
   */
  const merged = createEventListCache<{ parts: readonly EventList[]; events: readonly RecordedEvent[] }>(mostEvents);
  const inTurn = createKeyedMutex();
  const alone = createMutex();

  const keyOf = ({ organizationId, pageId, only = {} }: Owner, category: string): string => {
    const named = only[category];
    return JSON.stringify([category, organizationId, named ?? (isBelowPages(category) ? pageId : undefined)]);
  };

  const streamsIn = (owner: Owner, category: string): readonly string[] =>
    owner.only?.[category] ?? directory.streamsOf(owner, category);

  /** Returns the number of events of an owner, as of the last extension of the directory. */
  const sizeOf = (owner: Owner, categories: Iterable<string>): number => {
    let size = 0;
    for (const category of categories)
      for (const stream of streamsIn(owner, category)) size += directory.lengthOf(stream);
    return size;
  };

  /** Reads those events of the streams of an owner that neither the lists nor the pass over the log have. */
  const readLacking = async (
    owner: Owner,
    before: ReadonlyMap<string, EventList>,
    added: Map<string, RecordedEvent[]>,
  ): Promise<void> => {
    const lacking = new Map<string, readonly string[]>();
    for (const [category, list] of before) {
      const lengths = lengthsOf(list, added.get(category) ?? []);
      const streams = streamsIn(owner, category).filter(
        (stream) => directory.lengthOf(stream) > (lengths.get(stream) ?? 0),
      );
      if (streams.length > 0) lacking.set(category, streams);
    }
    const streams = [...lacking.values()].flat();
    if (streams.length === 0) return;
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
  };

  /** Reads further events of the streams that the owner names. */
  const readNamed = async (
    { organizationId, only = {} }: Owner,
    before: ReadonlyMap<string, EventList>,
    added: Map<string, RecordedEvent[]>,
    isExtended: boolean,
  ): Promise<void> => {
    for (const [category, { read }] of before) {
      const streams = only[category];
      if (!streams) continue;
      const longer = isExtended
        ? streams.filter((stream) => directory.lengthOf(stream) > (read.get(stream) ?? 0))
        : streams;
      const found = await readStreams(main, longer, read);
      added.set(
        category,
        found.filter(({ metadata }) => metadata.organization_id === organizationId),
      );
    }
  };

  /** @param known end of the log, if the directory was just extended to it */
  const listsOf = async (
    owner: Owner,
    categories: readonly string[],
    known?: bigint,
  ): Promise<{ parts: EventList[]; end: bigint }> => {
    const { only = {} } = owner;
    // The first pass also collects what the other read models of the page will need.
    const together = directory.isRead() || owner.pageId === undefined ? [] : OF_PAGES;
    const before = new Map(
      [...new Set([...categories, ...together])].map((category) => [
        category,
        lists.get(keyOf(owner, category)) ?? NOTHING_READ,
      ]),
    );
    const searched = new Map([...before].filter(([category]) => only[category] === undefined));
    const added = new Map<string, RecordedEvent[]>([...searched.keys()].map((category) => [category, []]));
    const isExtended = known !== undefined || searched.size > 0;
    // The pass that finds the streams also collects their events, so that the first request reads the log once.
    const end = isExtended ? (known ?? (await directory.extend({ owner, collected: added }))) : 0n;
    const readOn = async (): Promise<void> => {
      await readLacking(owner, searched, added);
      await readNamed(owner, before, added, isExtended);
    };
    const isLarge = isExtended && sizeOf(owner, before.keys()) > mostEvents;
    await (isLarge ? alone(readOn) : readOn());
    const extended = new Map<string, EventList>();
    for (const [category, list] of before) {
      const events = added.get(category) ?? [];
      const longer = events.length === 0 ? list : await withEvents(list, events);
      lists.set(keyOf(owner, category), longer);
      extended.set(category, longer);
    }
    return { parts: categories.map((category) => extended.get(category) ?? NOTHING_READ), end };
  };

  const needsChecks = ({ pageId, only = {} }: Owner, categories: readonly string[]): boolean =>
    pageId !== undefined && only[CHECK] === undefined && categories.includes(CHECK);

  const readList = async (given: Owner, categories: readonly string[]): Promise<EventsUpToEnd> => {
    const page = needsChecks(given, categories) ? await listsOf(given, ['page']) : null;
    const streams = page && checkStreamsOf(page.parts[0]?.events ?? []);
    const owner = streams ? { ...given, only: { ...given.only, [CHECK]: streams } } : given;
    const { parts, end } = await listsOf(owner, categories, page?.end);
    const [first = NOTHING_READ] = parts;
    if (parts.length <= 1) return { events: first.events, end };
    const key = JSON.stringify(categories.map((category) => keyOf(owner, category)));
    const known = merged.get(key);
    if (known?.parts.every((part, index) => part === parts[index])) return { events: known.events, end };
    const events = await mergedInLogOrder(
      parts.map((part) => part.events),
      timeSlices(),
    );
    merged.set(key, { parts, events });
    return { events, end };
  };

  /** Returns the events of an owner in some categories, in the order of the log, and the end of the log. */
  const listOf = (owner: Owner, categories: readonly string[]): Promise<EventsUpToEnd> => {
    const { organizationId, pageId, only = {} } = owner;
    const turn = JSON.stringify([organizationId, pageId ?? only]);
    return inTurn(turn, () => readList(owner, [...new Set(categories)].sort()));
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
