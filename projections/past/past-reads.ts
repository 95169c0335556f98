import { categoryOf } from '../../domain/decider.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import { CLOCKS_DIFFER_MS, instantOf, millisecondsOf, type Instant } from '../../domain/time.ts';
import { createPastEvents, OF_PAGES, type Owner, type PastEvents } from './past-events.ts';
import { createPastFolds } from './past-folds.ts';
import { categoriesOf, createPastRead } from './past-read.ts';
import { oldestUnfolded } from '../engine/status/lag.ts';
import type { Read } from '../readers.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { ForkableReadStore } from '../../stores/read-store/port.ts';
import { createPastResultsSource, type PastResults } from './results/past-results.ts';
import { createPageHistories, type PageHistory } from './page-history.ts';

/** The read models of an owner at a moment. */
export interface PastState {
  read: Read;
  /**
   * Reads all events of the owner in streams of these categories, including those after the moment. The events stay in
   * memory as long as the state is used.
   */
  events: (categories: readonly string[]) => Promise<readonly RecordedEvent[]>;
  /**
   * Whether every event up to this moment has been recorded, and no value that was read so far lacked any of them. Then,
   * every read returns the same documents.
   */
  isSettled: () => boolean;
  /**
   * Returns the newest event of `main` in the state; null if there is none. For a page, these are the events of the page
   * and its incidents, and those of read models that were read so far. Otherwise, only the latter.
   */
  last: () => Promise<RecordedEvent | null>;
  /** Whether values that were read so far, of a check, heartbeat or organization, cannot be derived from the log. */
  isUnknown: PastResults['isUnknown'];
}

export interface PastOptions {
  /** types of events that count even if they were recorded later */
  also?: readonly string[];
  /** Where results and pings of the moment are found. Absent: read models of the log `results` are empty. */
  results?: {
    /** reads the present read models */
    read: Read;
    /** start of the retention period of results */
    from: Instant;
  };
}

export interface PastReads {
  /**
   * Returns the state of an owner at a moment. Read models are folded when they are first read. Reads throw DamagedEvent
   * or UnknownEvent if an event of the log is unreadable.
   */
  at: (owner: Owner, at: Instant, options?: PastOptions) => PastState;
  /** Reads all events of a stream. Returns an empty list if the stream belongs to another organization. */
  stream: (stream: string, organizationId: string) => Promise<readonly RecordedEvent[]>;
  /**
   * Reads all events of an owner in streams of these categories.
   *
   * @throws DamagedEvent, UnknownEvent an event of the log is unreadable
   */
  events: (owner: Owner, categories: readonly string[]) => Promise<readonly RecordedEvent[]>;
  /**
   * Returns the history of a page of the organization, up to the present end of the log.
   *
   * @throws DamagedEvent, UnknownEvent an event of the log is unreadable
   */
  page: (organizationId: string, pageId: string) => Promise<PageHistory>;
}

export interface PastReadsOptions {
  main: Pick<EventStore, 'readAll' | 'readStream'>;
  /** Absent: past results and pings are not read. */
  results?: {
    log: Pick<EventStore, 'readAll' | 'readStream'>;
    /** Returns the position up to which a present read model has folded the log. */
    positionOf: (projection: string) => bigint;
  };
  openStore: () => ForkableReadStore;
  /** Returns milliseconds since 1970. */
  clock: () => number;
}

/** Creates the reads of past states. They share their folded states (projections/past/past-folds.ts). */
export const createPastReads = ({ main, results, openStore, clock }: PastReadsOptions): PastReads => {
  const source = createPastEvents(main);
  const folds = createPastFolds(openStore);
  const pageHistory = createPageHistories(source, folds);
  const resultsOf =
    results &&
    createPastResultsSource({
      results: results.log,
      oldestUnfolded: (projection) => oldestUnfolded(results.log, projection, results.positionOf(projection.name)),
      openStore,
    });

  const stateAt = (owner: Owner, at: Instant, { also = [], results: where }: PastOptions = {}): PastState => {
    const used = new Map<string, Promise<PastEvents>>();
    let last: RecordedEvent | null = null;
    const eventsOf = (categories: readonly string[]): Promise<PastEvents> => {
      const key = [...categories].sort().join(' ');
      const known = used.get(key);
      if (known) return known;
      const read = source.ofOwner(owner, categories, at, also).then((events) => {
        const lastOfThese = events.all[events.count - 1];
        if (lastOfThese && lastOfThese.position > (last?.position ?? 0n)) last = lastOfThese;
        return events;
      });
      used.set(key, read);
      read.catch(() => used.delete(key));
      return read;
    };
    const ownerKey = JSON.stringify(owner);
    // No process records an event with an earlier time any more.
    const isSettled = at <= instantOf(clock() - CLOCKS_DIFFER_MS);
    const read: Read = createPastRead(async (projection) => {
      if (projection.log === 'main')
        return folds.stateOf(ownerKey, projection, await eventsOf(categoriesOf(projection)));
      return pastResults?.modelOf(projection) ?? folds.stateOf(ownerKey, projection, NO_EVENTS);
    });
    const { organizationId } = owner;
    const pastResults =
      where &&
      resultsOf?.({ organizationId, at, retainedFrom: where.from, present: where.read, past: read }, isSettled);
    const readLast = async (): Promise<RecordedEvent | null> => {
      if (owner.pageId !== undefined) await eventsOf(OF_PAGES);
      return last;
    };
    return {
      events: async (categories) => (await eventsOf(categories)).all,
      isSettled: () => isSettled && !pastResults?.isLate(),
      read,
      last: readLast,
      isUnknown: pastResults?.isUnknown ?? (() => false),
    };
  };

  return {
    page: pageHistory,
    stream: (stream, organizationId) => {
      const category = categoryOf(stream);
      return source.all({ organizationId, only: { [category]: [stream] } }, [category]);
    },
    events: source.all,
    at: stateAt,
  };
};

const NO_EVENTS: PastEvents = { all: [], count: 0, further: [] };

/** Tolerance for a requested moment that is ahead of the clock, in milliseconds. */
const AHEAD_MS = 1_000;

/** Tests whether a moment is more than a second later than `now`. */
export const isInFuture = (at: Instant, now: Instant): boolean => millisecondsOf(at) > millisecondsOf(now) + AHEAD_MS;
