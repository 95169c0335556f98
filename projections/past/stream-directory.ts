import { timeSlices } from '../../domain/concurrency/time-slices.ts';
import { categoryOf } from '../../domain/decider.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { readToEnd } from '../engine/feed/log-end.ts';

/** The organization whose streams are listed, or one of its pages. */
export interface StreamOwner {
  organizationId: string;
  /** restricts the categories below a page ({@link BELOW_PAGES}) to this page; absent: all pages */
  pageId?: string;
}

/** The events of an owner that a pass over the log collects, by category. Other categories are not collected. */
export interface Collect {
  owner: StreamOwner;
  collected: ReadonlyMap<string, RecordedEvent[]>;
}

/** Lists the streams of an owner. The lists show the log at the most recent call of `extend`. */
export interface StreamDirectory {
  /**
   * Reads the events that were appended since the previous call. The first call reads the whole log.
   *
   * @param collect receives those of the read events that are in streams of an owner
   * @returns the position of the newest event of the log; 0n if there is none
   * @throws DamagedEvent, UnknownEvent an event of the log is unreadable. The lists show the log before this event
   */
  extend: (collect: Collect) => Promise<bigint>;
  /** Whether `extend` has read events, or is reading them. */
  isRead: () => boolean;
  streamsOf: (owner: StreamOwner, category: string) => readonly string[];
  /** Returns the number of events in a stream. */
  lengthOf: (stream: string) => number;
  /** Returns the number of events in all streams of a category, of all owners. */
  eventsIn: (category: string) => number;
}

/** Categories whose streams name a page in their first event. */
const BELOW_PAGES: ReadonlySet<string> = new Set(['page', 'incident', 'subscriber', 'email_domain']);

/** Whether a page restricts the streams of its organization in a category. */
export const isBelowPages = (category: string): boolean => BELOW_PAGES.has(category);

interface Category {
  events: number;
  byOrganization: Map<string, string[]>;
  byPage: Map<string, string[]>;
}

/** Creates a directory of the streams of a log. It writes nothing, and reads nothing until `extend` is called. */
export const createStreamDirectory = (main: Pick<EventStore, 'readAll'>): StreamDirectory => {
  const categories = new Map<string, Category>();
  const lengths = new Map<string, number>();
  /** position of the newest event that was read */
  let position = 0n;
  let reading: Promise<unknown> | null = null;

  const enter = ({ stream, revision, data, metadata }: RecordedEvent): void => {
    const category = valueIn(categories, categoryOf(stream), () => ({
      events: 0,
      byOrganization: new Map<string, string[]>(),
      byPage: new Map<string, string[]>(),
    }));
    category.events += 1;
    lengths.set(stream, Number(revision) + 1);
    if (revision !== 0n) return;
    valueIn(category.byOrganization, metadata.organization_id ?? '', emptyList).push(stream);
    const { page_id } = data as { page_id?: unknown };
    if (typeof page_id === 'string') valueIn(category.byPage, page_id, emptyList).push(stream);
  };

  /** Reads all categories, because only an unfiltered read ends at a known position. */
  const readOn = async (collect: Collect): Promise<bigint> => {
    const pause = timeSlices();
    const collectEvent = collecting(collect);
    for await (const events of readToEnd(main, position)) {
      for (const event of events) {
        enter(event);
        collectEvent(event);
        position = event.position;
      }
      await pause();
    }
    return position;
  };

  const isByPage = ({ pageId }: StreamOwner, category: string): boolean =>
    pageId !== undefined && isBelowPages(category);

  const streamsOf = (owner: StreamOwner, category: string): readonly string[] => {
    const known = categories.get(category);
    const { organizationId, pageId = '' } = owner;
    const streams = isByPage(owner, category) ? known?.byPage.get(pageId) : known?.byOrganization.get(organizationId);
    return streams ?? [];
  };

  /** Returns a function that collects an event if it is in a stream of the owner. */
  const collecting = ({ owner, collected }: Collect): ((event: RecordedEvent) => void) => {
    const wanted = new Map([...collected.keys()].map((category) => [category, new Set(streamsOf(owner, category))]));
    const isOwn = (category: string, { data, metadata }: RecordedEvent): boolean =>
      isByPage(owner, category)
        ? (data as { page_id?: unknown }).page_id === owner.pageId
        : metadata.organization_id === owner.organizationId;
    return (event) => {
      const category = categoryOf(event.stream);
      const streams = wanted.get(category);
      if (!streams) return;
      if (event.revision === 0n && isOwn(category, event)) streams.add(event.stream);
      if (streams.has(event.stream)) collected.get(category)?.push(event);
    };
  };

  return {
    extend: (collect) => {
      const extended = (reading ?? Promise.resolve()).then(() => readOn(collect));
      reading = extended.catch(() => undefined);
      return extended;
    },
    isRead: () => reading !== null,
    streamsOf,
    lengthOf: (stream) => lengths.get(stream) ?? 0,
    eventsIn: (category) => categories.get(category)?.events ?? 0,
  };
};

const emptyList = (): string[] => [];

const valueIn = <K, V>(map: Map<K, V>, key: K, create: () => V): V => {
  const known = map.get(key);
  if (known !== undefined) return known;
  const created = create();
  map.set(key, created);
  return created;
};
