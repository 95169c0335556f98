import { createMutex } from '../../../domain/mutex.ts';
import { timeSlices } from '../../../domain/time-slices.ts';
import type { RecordedEvent } from '../../../domain/event.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import { ChangeList, changesOf, type Change } from './changes.ts';
import { markOf, UNMARKED, type Place } from './position.ts';

/** The log `main` as streams of events need it: what is appended, and what was appended lately. */
export interface Feed {
  /** settled once the log is followed; rejects where it can't be read */
  started: Promise<void>;
  /** the last event that was taken */
  last: () => Place;
  /**
   * What has changed in an organization after a place, and up to the last event that was taken.
   *
   * @returns null: the place is unknown, or too much has happened since
   */
  since: (organizationId: string, place: Place) => Promise<readonly Change[] | null>;
  stop: () => void;
}

export interface FeedOptions {
  main: Pick<EventStore, 'readAll' | 'subscribe'>;
  /** where to begin: position of an event not far from the end of the log; 0n: the start */
  from: bigint;
  /** Called for each event, in order. Must not throw. */
  take: (event: RecordedEvent, changes: readonly Change[]) => void;
  /** called once, when the log can't be followed any more */
  failed: (error: unknown) => void;
  /** events that are remembered; default: {@link MOST_REMEMBERED} */
  remembered?: number;
}

/** A client that reconnects after more events than this, of all organizations, has to load everything again. */
export const MOST_REMEMBERED = 10_000;
/** Events that are forgotten at once. */
const FORGOTTEN_SHARE = 0.1;
/** Events that are read at once: the thread that serves requests reads them. */
const PAGE = 200;
const NOWHERE: Place = { position: -1n, mark: UNMARKED };

/** What is remembered of an event. */
interface Entry extends Place {
  organizationId: string | null;
  changes: readonly Change[];
}

/**
 * Follows the log until it is stopped. What was appended before is read only for clients that ask for it, once for all of
 * them: after a restart they all come back at about the same place.
 */
export const createFeed = ({ main, from, take, failed, remembered = MOST_REMEMBERED }: FeedOptions): Feed => {
  const stop = new AbortController();
  const inTurn = createMutex();
  /** consecutive events of the log, the newest last */
  let entries: Entry[] = [];
  let last: Place = { position: from, mark: UNMARKED };
  /** from here on there is more than can be remembered */
  let tooOld = -1n;

  const remember = (event: RecordedEvent): void => {
    const entry = entryOf(event);
    entries.push(entry);
    last = { position: entry.position, mark: entry.mark };
    if (entries.length > remembered) entries = entries.slice(Math.ceil(remembered * FORGOTTEN_SHARE));
    take(event, entry.changes);
  };

  const begin = async (): Promise<void> => {
    if (from === 0n) return;
    const [event] = await main.readAll({ after: from, inclusive: true, limit: 1 });
    // On a server for several services, a read model may have got as far as an event of another one.
    if (event?.position !== from) return;
    const entry = entryOf(event);
    entries.push(entry);
    last = { position: entry.position, mark: entry.mark };
  };

  const follow = async (): Promise<void> => {
    for await (const events of main.subscribe({ after: from, signal: stop.signal })) {
      if (stop.signal.aborted) return;
      for (const event of events) remember(event);
    }
  };

  const started = begin();
  started.then(follow).catch((error: unknown) => {
    if (!stop.signal.aborted) failed(error);
  });

  /** Reads what is remembered from a place on. @returns whether it is */
  const reach = async (position: bigint): Promise<boolean> => {
    const oldest = entries[0]?.position ?? last.position;
    if (position >= oldest) return true;
    if (position <= tooOld) return false;
    const earlier: Entry[] = [];
    const pause = timeSlices();
    for (let after = position, inclusive = true; ; inclusive = false) {
      const events = await main.readAll({ after, inclusive, limit: PAGE });
      const before = events.filter((event) => event.position < oldest);
      earlier.push(...before.map(entryOf));
      if (earlier.length + entries.length > remembered) {
        tooOld = position;
        return false;
      }
      const end = events.at(-1)?.position;
      if (end === undefined || end >= oldest || before.length < events.length) break;
      after = end;
      await pause();
    }
    // Events that came meanwhile may have made it forget the oldest.
    if (entries[0]?.position !== oldest) return false;
    entries = [...earlier, ...entries];
    return true;
  };

  /** Whether there is such an event, which this process has not come to yet. */
  const isAhead = async ({ position, mark }: Place): Promise<boolean> => {
    const [event] = await main.readAll({ after: position, inclusive: true, limit: 1 });
    return event?.position === position && markOf(event.id) === mark;
  };

  return {
    started,
    last: () => last,
    since: (organizationId, place) =>
      inTurn(async () => {
        if (place.position > last.position) return (await isAhead(place)) ? [] : null;
        if (!(await reach(place.position))) return null;
        const at = indexFrom(entries, place.position);
        const { position, mark } = entries[at] ?? NOWHERE;
        if (place.mark !== UNMARKED && (position !== place.position || mark !== place.mark)) return null;
        const list = new ChangeList();
        for (const entry of entries.slice(at)) {
          if (entry.organizationId === organizationId && entry.position > place.position) list.add(entry.changes);
        }
        return list.list();
      }),
    stop: () => {
      stop.abort();
    },
  };
};

const entryOf = (event: RecordedEvent): Entry => ({
  position: event.position,
  mark: markOf(event.id),
  organizationId: event.metadata.organization_id,
  changes: changesOf(event),
});

/** Index of the first entry at a position or after it, by binary search. */
const indexFrom = (entries: readonly Entry[], position: bigint): number => {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.position ?? position) < position) low = middle + 1;
    else high = middle;
  }
  return low;
};
