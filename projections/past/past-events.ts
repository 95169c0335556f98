import { timeSlices } from '../../domain/concurrency/time-slices.ts';
import { categoryOf } from '../../domain/decider.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import type { Instant } from '../../domain/time.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { readUntilEnd } from '../engine/feed/log-end.ts';

/** Selects the events that a past state is folded from: those of an organization, or of one of its pages. */
export interface Owner {
  organizationId: string;
  /** Limits the categories in {@link BELOW_PAGES} to the streams of this page. Absent: streams of all pages. */
  pageId?: string;
  /** Limits a category to these streams. Categories without an entry are not limited. */
  only?: Readonly<Record<string, readonly string[]>>;
}

/** Events up to a moment, in the order of the log. */
export interface PastEvents {
  events: readonly RecordedEvent[];
  /** Null if `events` is empty. */
  last: RecordedEvent | null;
}

export interface PastEventsSource {
  /** Reads the events of an owner in streams of these categories, up to a moment. */
  ofOwner: (owner: Owner, categories: readonly string[], at: Instant) => Promise<PastEvents>;
}

/** Categories whose streams name a page in their first event. */
const BELOW_PAGES: ReadonlySet<string> = new Set(['page', 'incident', 'subscriber', 'email_domain']);

const PAGE = 1_000;
/** Maximum number of streams that are read concurrently. */
const SIDE_BY_SIDE = 32;
/**
 * Reading one stream costs about as much as skipping this many events of other streams in a scan of the whole
 * category.
 */
const EVENTS_PER_STREAM = 8;

/** The streams of a category by owner, from the events that have been read so far. */
interface Directory {
  /** Position of the newest event that was read. */
  position: bigint;
  events: number;
  byOrganization: Map<string, string[]>;
  byPage: Map<string, string[]>;
}

/**
 * Reads the events that a past state is folded from. The first request reads the log to find the owner of each stream.
 * Later requests read only the events appended after that. Nothing is written, and nothing is read between requests.
 */
export const createPastEvents = (main: Pick<EventStore, 'readAll' | 'readStream'>): PastEventsSource => {
  const directories = new Map<string, Directory>();
  let reading: Promise<unknown> = Promise.resolve();

  const directoryOf = (category: string): Directory => {
    const known = directories.get(category);
    if (known) return known;
    const made: Directory = { position: 0n, events: 0, byOrganization: new Map(), byPage: new Map() };
    directories.set(category, made);
    return made;
  };

  const enter = ({ stream, revision, position, data, metadata }: RecordedEvent): void => {
    const directory = directoryOf(categoryOf(stream));
    directory.position = position;
    directory.events += 1;
    if (revision !== 0n) return;
    listIn(directory.byOrganization, metadata.organization_id ?? '').push(stream);
    const { page_id } = data as { page_id?: unknown };
    if (typeof page_id === 'string') listIn(directory.byPage, page_id).push(stream);
  };

  /** Reads categories to the end of the log, and calls `see` with each event. */
  const readOn = async (
    categories: readonly string[],
    from: bigint,
    see: (event: RecordedEvent) => void,
  ): Promise<void> => {
    const pause = timeSlices();
    for await (const events of readUntilEnd(main, from, categories)) {
      for (const event of events) see(event);
      await pause();
    }
  };

  /** Extends the directories to the end of the log. Concurrent calls run one after another. */
  const extend = (categories: readonly string[]): Promise<void> => {
    const extended = reading.then(async () => {
      const byPosition = new Map<bigint, string[]>();
      for (const category of categories) listIn(byPosition, directoryOf(category).position).push(category);
      for (const [from, together] of byPosition) await readOn(together, from, enter);
    });
    reading = extended.catch(() => undefined);
    return extended;
  };

  const streamsOf = ({ organizationId, pageId }: Owner, category: string): readonly string[] => {
    const { byOrganization, byPage } = directoryOf(category);
    const isByPage = pageId !== undefined && BELOW_PAGES.has(category);
    return (isByPage ? byPage.get(pageId) : byOrganization.get(organizationId)) ?? [];
  };

  const inStreams = async (streams: readonly string[]): Promise<RecordedEvent[]> => {
    const pause = timeSlices();
    const events: RecordedEvent[] = [];
    for (let first = 0; first < streams.length; first += SIDE_BY_SIDE) {
      const some = await Promise.all(
        streams.slice(first, first + SIDE_BY_SIDE).map((stream) => readWholeStream(main, stream)),
      );
      for (const own of some) events.push(...own);
      await pause();
    }
    return events.sort(byPosition);
  };

  /** Finds the events of the streams by reading all events of their categories. */
  const amongAll = async (categories: readonly string[], streams: readonly string[]): Promise<RecordedEvent[]> => {
    const wanted = new Set(streams);
    const events: RecordedEvent[] = [];
    await readOn(categories, 0n, (event) => {
      if (wanted.has(event.stream)) events.push(event);
    });
    return events;
  };

  /** Reads the events of all streams of the owner in these categories. */
  const ofAllStreams = async (owner: Owner, categories: readonly string[]): Promise<RecordedEvent[]> => {
    if (categories.length === 0) return [];
    await extend(categories);
    const streams = categories.flatMap((category) => streamsOf(owner, category));
    const inAll = categories.reduce((sum, category) => sum + directoryOf(category).events, 0);
    const areFew = streams.length * EVENTS_PER_STREAM < inAll;
    return areFew ? inStreams(streams) : amongAll(categories, streams);
  };

  return {
    ofOwner: async (owner, categories, at) => {
      const { organizationId, only = {} } = owner;
      const named = categories.flatMap((category) => only[category] ?? []);
      const some = (await inStreams(named)).filter(({ metadata }) => metadata.organization_id === organizationId);
      const others = categories.filter((category) => only[category] === undefined);
      const all = [...some, ...(await ofAllStreams(owner, others))];
      return until(at, some.length > 0 && others.length > 0 ? all.sort(byPosition) : all);
    },
  };
};

/**
 * Cuts the events after the last one, in log order, with a time at or before `at`. An earlier event with a time after
 * `at` is included: a clock that was ahead gave it that time, although it happened before `at`.
 */
const until = (at: Instant, events: readonly RecordedEvent[]): PastEvents => {
  const last = events.findLastIndex(({ metadata }) => metadata.recorded_at <= at);
  return { events: events.slice(0, last + 1), last: events[last] ?? null };
};

const byPosition = (one: RecordedEvent, other: RecordedEvent): number => (one.position < other.position ? -1 : 1);

/** Reads all events of a stream, oldest first. */
export const readWholeStream = async (
  store: Pick<EventStore, 'readStream'>,
  stream: string,
): Promise<RecordedEvent[]> => {
  const events: RecordedEvent[] = [];
  for (;;) {
    const page = await store.readStream(stream, { from: BigInt(events.length), limit: PAGE });
    events.push(...page);
    if (page.length < PAGE) return events;
  }
};

const listIn = <K, V>(lists: Map<K, V[]>, key: K): V[] => {
  const known = lists.get(key);
  if (known) return known;
  const made: V[] = [];
  lists.set(key, made);
  return made;
};
