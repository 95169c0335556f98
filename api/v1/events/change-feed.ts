import { createMutex } from '../../../domain/concurrency/mutex.ts';
import { timeSlices } from '../../../domain/concurrency/time-slices.ts';
import type { RecordedEvent } from '../../../domain/event.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import { ChangeList, changesOf, type ResourceChange } from './changes.ts';
import { markOf, UNMARKED, type LogPosition } from './position-tokens.ts';

/** Follows the log `main` for event streams, and caches its newest events for clients that reconnect. */
export interface ChangeFeed {
  /** Resolves when the log is being followed. Rejects if the log cannot be read. */
  started: Promise<void>;
  /** Returns the position of the newest event that was processed. */
  last: () => LogPosition;
  /**
   * Returns the changes in an organization after a position, up to the newest processed event.
   *
   * @returns null if the position is unknown, or if too many events follow the position
   */
  changesSince: (organizationId: string, start: LogPosition) => Promise<readonly ResourceChange[] | null>;
  stop: () => void;
}

export interface ChangeFeedOptions {
  main: Pick<EventStore, 'readAll' | 'subscribe'>;
  /** Position of an event near the end of the log, from which the log is followed. 0n for the start of the log. */
  from: bigint;
  /** Called for each event, in order. Must not throw. */
  onEvent: (event: RecordedEvent, changes: readonly ResourceChange[]) => void;
  /** Called once, if the log cannot be followed any more. */
  onFailure: (error: unknown) => void;
  /** Maximum number of cached events. Default: {@link MAX_REMEMBERED_EVENTS}. */
  maxRemembered?: number;
}

/**
 * Maximum number of cached events, of all organizations together. A client that missed more events than this has to
 * reload everything.
 */
export const MAX_REMEMBERED_EVENTS = 10_000;
/** Fraction of the cached events that is dropped when the maximum is exceeded. */
const FORGOTTEN_SHARE = 0.1;
/** Number of events per read. It is small, because the read runs on the thread that serves requests. */
const PAGE = 200;
const NOWHERE: LogPosition = { position: -1n, mark: UNMARKED };

/** A cached event. */
interface Entry extends LogPosition {
  organizationId: string | null;
  changes: readonly ResourceChange[];
}

/**
 * Follows the log until `stop` is called. Events before `from` are read when a client needs them, and then cached:
 * after a restart, all clients reconnect from about the same position.
 */
export const createChangeFeed = ({
  main,
  from,
  onEvent,
  onFailure,
  maxRemembered = MAX_REMEMBERED_EVENTS,
}: ChangeFeedOptions): ChangeFeed => {
  const stop = new AbortController();
  const inTurn = createMutex();
  /** The cached events: a part of the log without gaps, newest last. */
  let entries: Entry[] = [];
  let last: LogPosition = { position: from, mark: UNMARKED };
  /** The log has too many events after this position to cache them all. */
  let tooOld = -1n;

  const remember = (event: RecordedEvent): void => {
    const entry = entryOf(event);
    entries.push(entry);
    last = { position: entry.position, mark: entry.mark };
    if (entries.length > maxRemembered) entries = entries.slice(Math.ceil(maxRemembered * FORGOTTEN_SHARE));
    onEvent(event, entry.changes);
  };

  const begin = async (): Promise<void> => {
    if (from === 0n) return;
    const [event] = await main.readAll({ after: from, inclusive: true, limit: 1 });
    // If the position of the event is not `from`, no event of this service is at `from`: several services can share a
    // database server, and the event at `from` can belong to another service.
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
    if (!stop.signal.aborted) onFailure(error);
  });

  /**
   * Extends the cache to events from a position onwards.
   *
   * @returns false if there are too many events after the position
   */
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
      if (earlier.length + entries.length > maxRemembered) {
        tooOld = position;
        return false;
      }
      const end = events.at(-1)?.position;
      if (end === undefined || end >= oldest || before.length < events.length) break;
      after = end;
      await pause();
    }
    // While the events were being read, new events might have evicted the oldest cached event.
    if (entries[0]?.position !== oldest) return false;
    entries = [...earlier, ...entries];
    return true;
  };

  /**
   * Tests whether an event is in the log. Used for positions after the newest event that this process has processed.
   */
  const isAhead = async ({ position, mark }: LogPosition): Promise<boolean> => {
    const [event] = await main.readAll({ after: position, inclusive: true, limit: 1 });
    return event?.position === position && markOf(event.id) === mark;
  };

  return {
    started,
    last: () => last,
    changesSince: (organizationId, start) =>
      inTurn(async () => {
        if (start.position > last.position) return (await isAhead(start)) ? [] : null;
        if (!(await reach(start.position))) return null;
        const at = indexFrom(entries, start.position);
        const { position, mark } = entries[at] ?? NOWHERE;
        if (start.mark !== UNMARKED && (position !== start.position || mark !== start.mark)) return null;
        const list = new ChangeList();
        for (const entry of entries.slice(at)) {
          if (entry.organizationId === organizationId && entry.position > start.position) list.add(entry.changes);
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

/** Returns the index of the first entry at or after a position, by binary search. */
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
