import { LRUCache } from 'lru-cache';
import { timeSlices } from '../../domain/concurrency/time-slices.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import { inLogOrder, mergedInLogOrder } from './log-order.ts';

/** The events of an owner in one category that have been read, in the order of the log. */
export interface EventList {
  events: readonly RecordedEvent[];
  /** number of events that have been read of each stream */
  read: ReadonlyMap<string, number>;
}

export const NOTHING_READ: EventList = { events: [], read: new Map() };

/**
 * Returns a list with further events, in the order of the log. A further event can have a lower position than an event
 * that was read before, because the streams are not read at the same moment.
 */
export const withEvents = async ({ events, read }: EventList, added: readonly RecordedEvent[]): Promise<EventList> => {
  const counts = new Map(read);
  for (const { stream } of added) counts.set(stream, (counts.get(stream) ?? 0) + 1);
  const pause = timeSlices();
  return { events: await mergedInLogOrder([events, await inLogOrder(added, pause)], pause), read: counts };
};

/** Returns the number of known events of each stream: those of a list, and further ones that continue it. */
export const lengthsOf = ({ read }: EventList, further: readonly RecordedEvent[]): ReadonlyMap<string, number> => {
  const lengths = new Map(read);
  for (const { stream, revision } of further)
    if (Number(revision) === (lengths.get(stream) ?? 0)) lengths.set(stream, Number(revision) + 1);
  return lengths;
};

/** Lists of events by key. */
export interface ListCache<L> {
  get: (key: string) => L | undefined;
  set: (key: string, list: L) => void;
}

/** Milliseconds after which unused events are dropped. */
const IDLE_MS = 300_000;

/**
 * Creates a cache of lists. It also returns lists that are too large for it, as long as the events of such a list are in
 * use elsewhere. So requests for the same long history do not each have a copy of the events.
 */
export const createEventListCache = <L extends { events: readonly RecordedEvent[] }>(
  mostEvents: number,
): ListCache<L> => {
  const cached = new LRUCache<string, L>({
    maxSize: mostEvents,
    ttl: IDLE_MS,
    ttlAutopurge: true,
    updateAgeOnGet: true,
  });
  const inUse = new Map<string, WeakRef<readonly RecordedEvent[]>>();
  const lists = new WeakMap<readonly RecordedEvent[], Map<string, L>>();
  const unused = new FinalizationRegistry<string>((key) => {
    if (!inUse.get(key)?.deref()) inUse.delete(key);
  });
  return {
    get: (key) => {
      const list = cached.get(key);
      if (list) return list;
      const events = inUse.get(key)?.deref();
      return events && lists.get(events)?.get(key);
    },
    set: (key, list) => {
      const { events } = list;
      cached.set(key, list, { size: events.length + 1 });
      if (events.length === 0) return;
      // Several lists can consist of the same events, if all but one of their parts are empty.
      const same = lists.get(events) ?? new Map<string, L>();
      lists.set(events, same.set(key, list));
      if (inUse.get(key)?.deref() === events) return;
      inUse.set(key, new WeakRef(events));
      unused.register(events, key);
    },
  };
};
