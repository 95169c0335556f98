import { categoryOf } from '../../domain/decider.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import type { Mac } from '../../domain/signed-token.ts';
import { instantOf, millisecondsOf, type Instant } from '../../domain/time.ts';
import { createPastEvents, type Owner, type PastEvents } from '../../projections/past/past-events.ts';
import { createPageHistories, type PageHistory } from '../../projections/past/page-history.ts';
import { createPastFolds } from '../../projections/past/past-folds.ts';
import { categoriesOf, createPastRead } from '../../projections/past/past-read.ts';
import type { Read } from '../../projections/readers.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { SharedMemoryReadStore } from '../../stores/read-store/memory.ts';
import { createPositionTokens, markOf, type PositionTokens } from '../v1/events/position-tokens.ts';

/** The read models of an organization at a moment. */
export interface PastState {
  read: Read;
  /** whether no further event can have a time up to this moment, so that every read returns the same */
  isSettled: boolean;
  /** A token of the last event that it was folded from, so far; null: there is none (api/v1/events/position-tokens.ts). */
  position: () => Promise<string | null>;
}

export interface PastReads {
  /** The state of an owner at a moment, which is folded as it is read. */
  at: (owner: Owner, at: Instant) => PastState;
  /** All events of a stream, if it belongs to the organization; else none. */
  stream: (stream: string, organizationId: string) => Promise<readonly RecordedEvent[]>;
  /** All events of an owner in streams of these categories. */
  events: (owner: Owner, categories: readonly string[]) => Promise<readonly RecordedEvent[]>;
  /** The history of a page of the organization, up to the present end of the log. */
  page: (organizationId: string, pageId: string) => Promise<PageHistory>;
  /** The tokens of positions in the log. */
  tokens: PositionTokens;
}

export interface PastReadsOptions {
  main: Pick<EventStore, 'readAll' | 'readStream'>;
  openStore: () => SharedMemoryReadStore;
  mac: Mac;
  /** milliseconds since 1970 */
  clock: () => number;
}

/** The clocks of processes that record facts differ by less than this, in milliseconds (docs/develop/clocks.md). */
const SETTLED_AFTER_MS = 120_000;

/** Creates the reads of past states. They share their folded states (projections/past/past-folds.ts). */
export const createPastReads = ({ main, openStore, mac, clock }: PastReadsOptions): PastReads => {
  const source = createPastEvents(main);
  const folds = createPastFolds(openStore);
  const tokens = createPositionTokens(mac);

  const stateAt = (owner: Owner, at: Instant): PastState => {
    const used = new Map<string, Promise<PastEvents>>();
    let last: RecordedEvent | null = null;
    const eventsOf = (categories: readonly string[]): Promise<PastEvents> => {
      const key = [...categories].sort().join(' ');
      const known = used.get(key);
      if (known) return known;
      const read = source.ofOwner(owner, categories, at).then((events) => {
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
      position: async () =>
        last && tokens.encrypt(owner.organizationId, { position: last.position, mark: markOf(last.id) }),
    };
  };

  return {
    page: createPageHistories(source, folds),
    tokens,
    stream: async (stream, organizationId) => {
      const category = categoryOf(stream);
      return (await source.ofOwner({ organizationId, only: { [category]: [stream] } }, [category], END)).all;
    },
    events: async (owner, categories) => (await source.ofOwner(owner, categories, END)).all,
    at: stateAt,
  };
};

const NO_EVENTS: PastEvents = { all: [], count: 0 };

/** Later than all events. */
const END: Instant = '9999-12-31T23:59:59.999999';

/** How far a requested moment may be ahead of the clock, milliseconds. */
const AHEAD_MS = 1_000;

/** Whether a moment has not come yet. */
export const isInFuture = (at: Instant, now: Instant): boolean => millisecondsOf(at) > millisecondsOf(now) + AHEAD_MS;
