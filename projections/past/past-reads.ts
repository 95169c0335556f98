import { categoryOf } from '../../domain/decider.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import { instantOf, millisecondsOf, type Instant } from '../../domain/time.ts';
import { createPastEvents, type Owner, type PastEvents } from './past-events.ts';
import { createPastFolds } from './past-folds.ts';
import { categoriesOf, createPastRead } from './past-read.ts';
import type { Read } from '../readers.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { ForkableReadStore } from '../../stores/read-store/port.ts';
import { createPageHistories, type PageHistory } from './page-history.ts';

/** The read models of an owner at a moment. */
export interface PastState {
  read: Read;
  /** Whether every event up to this moment has been recorded, so that every read returns the same documents. */
  isSettled: boolean;
  /** Returns the newest event that was folded into the state so far; null if there is none. */
  last: () => RecordedEvent | null;
}

export interface PastReads {
  /**
   * Returns the state of an owner at a moment. Read models are folded when they are first read.
   *
   * @param also types of events that count even if they were recorded later
   */
  at: (owner: Owner, at: Instant, also?: readonly string[]) => PastState;
  /** Reads all events of a stream. Returns an empty list if the stream belongs to another organization. */
  stream: (stream: string, organizationId: string) => Promise<readonly RecordedEvent[]>;
  /** Reads all events of an owner in streams of these categories. */
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
  openStore: () => ForkableReadStore;
  /** Returns milliseconds since 1970. */
  clock: () => number;
}

/**
 * A moment is settled after this time, in milliseconds. It is longer than the greatest difference between the clocks
 * of the processes that record events (docs/develop/clocks.md).
 */
const SETTLED_AFTER_MS = 120_000;

/** Creates the reads of past states. They share their folded states (projections/past/past-folds.ts). */
export const createPastReads = ({ main, openStore, clock }: PastReadsOptions): PastReads => {
  const source = createPastEvents(main);
  const folds = createPastFolds(openStore);
  const pageHistory = createPageHistories(source, folds);

  const stateAt = (owner: Owner, at: Instant, also: readonly string[] = []): PastState => {
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
    return {
      isSettled: at <= instantOf(clock() - SETTLED_AFTER_MS),
      read: createPastRead(async (projection) =>
        folds.stateOf(
          ownerKey,
          projection,
          projection.log === 'main' ? await eventsOf(categoriesOf(projection)) : NO_EVENTS,
        ),
      ),
      last: () => last,
    };
  };

  return {
    page: async (organizationId, pageId) => {
      const history = await pageHistory(organizationId, pageId);
      // If the next event of the log is unreadable, the history ends before it without an error. This read throws the
      // error.
      await main.readAll({ after: history.end, limit: 1 });
      return history;
    },
    stream: async (stream, organizationId) => {
      const category = categoryOf(stream);
      return (await source.ofOwner({ organizationId, only: { [category]: [stream] } }, [category], END)).all;
    },
    events: async (owner, categories) => (await source.ofOwner(owner, categories, END)).all,
    at: stateAt,
  };
};

const NO_EVENTS: PastEvents = { all: [], count: 0, further: [] };

/** Later than all events. */
const END: Instant = '9999-12-31T23:59:59.999999';

/** Tolerance for a requested moment that is ahead of the clock, in milliseconds. */
const AHEAD_MS = 1_000;

/** Tests whether a moment is more than a second later than `now`. */
export const isInFuture = (at: Instant, now: Instant): boolean => millisecondsOf(at) > millisecondsOf(now) + AHEAD_MS;
