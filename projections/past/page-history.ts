import { LRUCache } from 'lru-cache';
import { timeSlices } from '../../domain/concurrency/time-slices.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import { NO_EVENTS, nextHead, type LogHead } from '../../domain/log/head.ts';
import { storedFormOf } from '../../domain/log/stored-forms.ts';
import type { Read } from '../readers.ts';
import { OF_PAGES, type PastEventsSource } from './past-events.ts';
import type { PastFolds } from './past-folds.ts';
import { createPastRead } from './past-read.ts';

/** The events of a page and its incidents, and the states that follow from them. */
export interface PageHistory {
  /** in the order of the log; empty if the organization has no such page */
  events: readonly RecordedEvent[];
  /** position of the newest event of the log, whichever page it belongs to */
  end: bigint;
  /**
   * Returns a reader of the read models after the first `count` events. The reader is only valid for read models that
   * depend on no other events than those of the page and its incidents.
   */
  readAfter: (count: number) => Read;
  /**
   * Returns a reader like `readAfter`, after the first `count` events and some of the later ones, in the order of the
   * log. The read models are those that would exist if the other later events had not happened.
   */
  readWith: (count: number, some: readonly RecordedEvent[]) => Read;
  /** Returns the head of the first `count` events, computed like the head of a log (domain/log/head.ts). */
  headAfter: (count: number, signal?: AbortSignal) => Promise<LogHead>;
}

/** Maximum number of pages whose newest head is cached. */
const MOST_HEADS = 1_000;

interface KnownHead {
  head: LogHead;
  /** id of the newest event that the head covers */
  lastId: string;
}

/** Creates a function that reads the history of a page. Caches folded states, and the newest head of each page. */
export const createPageHistories = (source: Pick<PastEventsSource, 'upToEnd'>, folds: PastFolds) => {
  const heads = new LRUCache<string, KnownHead>({ max: MOST_HEADS });

  const headAfter = async (
    key: string,
    events: readonly RecordedEvent[],
    count: number,
    signal?: AbortSignal,
  ): Promise<LogHead> => {
    const known = heads.get(key);
    const begin = known?.head.events ?? 0;
    const isUsable = known && begin <= count && events[begin - 1]?.id === known.lastId;
    const pause = timeSlices(signal);
    let { head } = isUsable ? known : { head: NO_EVENTS };
    for (const event of events.slice(head.events, count)) {
      head = nextHead(head, storedFormOf(event));
      await pause();
    }
    const last = events[count - 1];
    if (last) heads.set(key, { head, lastId: last.id });
    return head;
  };

  return async (organizationId: string, pageId: string): Promise<PageHistory> => {
    const owner = { organizationId, pageId };
    const { events: found, end } = await source.upToEnd(owner, OF_PAGES);
    // The source finds streams by the page that their first event names, even if this page belongs to another
    // organization. So the organization of the events must be compared.
    const isOwn = found.every(({ metadata }) => metadata.organization_id === organizationId);
    const events = isOwn ? found : [];
    const key = JSON.stringify(['page', organizationId, pageId]);
    const readWith: PageHistory['readWith'] = (count, further) =>
      createPastRead((projection) => folds.stateOf(key, projection, { all: events, count, further }));
    return {
      events,
      end,
      readAfter: (count) => readWith(count, []),
      readWith,
      headAfter: (count, signal) => headAfter(key, events, count, signal),
    };
  };
};
