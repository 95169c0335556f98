import { categoryOf } from '../../domain/decider.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import type { Mac } from '../../domain/signed-token.ts';
import { instantOf, millisecondsOf, type Instant } from '../../domain/time.ts';
import { createPastEvents, type Owner, type PastEvents } from '../../projections/past/past-events.ts';
import { categoriesOf, createPastRead } from '../../projections/past/past-read.ts';
import type { Read } from '../../projections/readers.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { ReadStore } from '../../stores/read-store/port.ts';
import { createPositionTokens, markOf } from '../v1/events/position-tokens.ts';

/** The read models of an organization at a moment. */
export interface PastState {
  read: Read;
  /** Whether every event up to this moment has been recorded, so that every read returns the same documents. */
  isSettled: boolean;
  /**
   * Returns a position token (api/v1/events/position-tokens.ts) for the newest event that has been read for this
   * state, or null if no event has been read.
   */
  position: () => Promise<string | null>;
}

export interface PastReads {
  /** Returns the state of an owner at a moment. Read models are folded when they are first read. */
  at: (owner: Owner, at: Instant) => PastState;
  /** Reads all events of a stream. Returns an empty list if the stream belongs to another organization. */
  stream: (stream: string, organizationId: string) => Promise<readonly RecordedEvent[]>;
  /** Reads all events of an owner in streams of these categories. */
  events: (owner: Owner, categories: readonly string[]) => Promise<readonly RecordedEvent[]>;
}

export interface PastReadsOptions {
  main: Pick<EventStore, 'readAll' | 'readStream'>;
  openStore: () => ReadStore;
  mac: Mac;
  /** Returns milliseconds since 1970. */
  clock: () => number;
}

/**
 * A moment is settled after this time, in milliseconds. It is longer than the greatest difference between the clocks
 * of the processes that record events (docs/develop/clocks.md).
 */
const SETTLED_AFTER_MS = 120_000;
/** Maximum number of cached states, and of the events that all cached states together were folded from. */
const MOST_STATES = 16;
const MOST_EVENTS = 100_000;

interface CachedState extends PastState {
  events: () => number;
}

/** Reads past states, and caches the settled ones that were read most recently. */
export const createPastReads = ({ main, openStore, mac, clock }: PastReadsOptions): PastReads => {
  const source = createPastEvents(main);
  const tokens = createPositionTokens(mac);
  const cache = new Map<string, CachedState>();

  const stateOf = (owner: Owner, at: Instant, isSettled: boolean): CachedState => {
    const used = new Map<string, Promise<PastEvents>>();
    let count = 0;
    let last: PastEvents['last'] = null;
    const eventsOf = (categories: readonly string[]): Promise<PastEvents> => {
      const key = [...categories].sort().join(' ');
      const known = used.get(key);
      if (known) return known;
      const read = source.ofOwner(owner, categories, at).then((found) => {
        count += found.events.length;
        if (found.last && (!last || found.last.position > last.position)) last = found.last;
        return found;
      });
      used.set(key, read);
      read.catch(() => used.delete(key));
      return read;
    };
    return {
      isSettled,
      read: createPastRead({
        openStore,
        eventsOf: async (projection) =>
          projection.log === 'main' ? (await eventsOf(categoriesOf(projection))).events : [],
      }),
      position: async () =>
        last && tokens.encrypt(owner.organizationId, { position: last.position, mark: markOf(last.id) }),
      events: () => count,
    };
  };

  const addToCache = (key: string, state: CachedState): void => {
    cache.set(key, state);
    let events = [...cache.values()].reduce((sum, other) => sum + other.events(), 0);
    for (const [oldest, other] of cache) {
      if (cache.size <= MOST_STATES && events <= MOST_EVENTS) return;
      events -= other.events();
      cache.delete(oldest);
    }
  };

  return {
    stream: async (stream, organizationId) => {
      const category = categoryOf(stream);
      return (await source.ofOwner({ organizationId, only: { [category]: [stream] } }, [category], END)).events;
    },
    events: async (owner, categories) => (await source.ofOwner(owner, categories, END)).events,
    at: (owner, at) => {
      const isSettled = at <= instantOf(clock() - SETTLED_AFTER_MS);
      if (!isSettled) return stateOf(owner, at, false);
      const key = JSON.stringify([at, owner]);
      const state = cache.get(key) ?? stateOf(owner, at, true);
      cache.delete(key);
      addToCache(key, state);
      return state;
    },
  };
};

/** Later than all events. */
const END: Instant = '9999-12-31T23:59:59.999999';

/** Tolerance for a requested moment that is ahead of the clock, in milliseconds. */
const AHEAD_MS = 1_000;

/** Tests whether a moment is more than a second later than `now`. */
export const isInFuture = (at: Instant, now: Instant): boolean => millisecondsOf(at) > millisecondsOf(now) + AHEAD_MS;
