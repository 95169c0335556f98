import { LRUCache } from 'lru-cache';
import type { NewEvent } from '../../domain/event.ts';
import { millisecondsOf } from '../../domain/time.ts';
import { appendMissing, type AppendMissingResult } from './append-missing.ts';
import {
  AppendTooLarge,
  MAX_APPEND_BYTES,
  StoreUnavailable,
  WrongExpectedRevision,
  type Batches,
  type EventStore,
  type BatchedOutcome,
} from './port.ts';

/** Pauses in milliseconds before an append with an unknown outcome is repeated. */
const RETRIES_MS = [50, 200, 800, 2_000];
/** Maximum number of events that are remembered in order to recognize repetitions. */
const MAX_REMEMBERED = 5_000;

interface PendingEvent {
  event: NewEvent;
  resolve: (stored: BatchedOutcome) => void;
  reject: (error: unknown) => void;
}

interface Batch {
  waiting: PendingEvent[];
  leisurely: boolean;
  cancelTimer: () => void;
}

/** Events of one stream that may already be stored. */
interface UncertainBatch {
  waiting: (PendingEvent & { since: number })[];
  underWay: boolean;
}

export interface BatchesOptions {
  log: Pick<EventStore, 'append' | 'readStream'>;
  /** Calls `callback` after the given time, unless the returned function is called first. */
  after: (milliseconds: number, callback: () => void) => () => void;
  limits?: Partial<BatchLimits>;
}

/** Limits that determine when a batch is appended. */
export interface BatchLimits {
  /** maximum number of events in one append */
  events: number;
  /** a batch with this many events is appended immediately */
  enough: number;
  /** maximum time in milliseconds for which an event waits for others */
  wait: number;
  /**
   * maximum time in milliseconds for which an event waits if no caller waits for the event. Longer than `wait`, because
   * each append causes one commit of the log and one commit of each read model
   */
  leisurelyWait: number;
}

const LIMITS: BatchLimits = { events: 500, enough: 500, wait: 20, leisurelyWait: 500 };

/**
 * Batches appends to the streams of a log. The appends have the expected revision "any", because readers ignore events
 * that they have seen (docs/decisions/0017-results-expect-any-revision.md). EventStoreDB recognizes repeated ids of
 * such appends only for a while. So the end of the stream is read first if an append with an unknown outcome is
 * repeated, or if another worker may have stored an event.
 */
export const createBatches = ({ log, after, limits = {} }: BatchesOptions): Batches => {
  const { events: most, enough, wait, leisurelyWait } = { ...LIMITS, ...limits };
  const batches = new Map<string, Batch>();
  const doubtful = new Map<string, UncertainBatch>();
  /** events passed to `store`, by id */
  const remembered = new LRUCache<string, RememberedEvent>({ max: MAX_REMEMBERED });

  /**
   * @param since the earliest time at which one of the events can have been stored, milliseconds since 1970; null: none
   * is stored yet
   */
  const appendSurely = async (
    stream: string,
    events: readonly NewEvent[],
    since: number | null,
  ): Promise<Pick<AppendMissingResult, 'stored' | 'conflicting' | 'upTo'>> => {
    const earliest = Math.min(...events.map(recordedAt));
    for (let tries = 0; ; tries++) {
      try {
        if (tries > 0 || since !== null) return await appendMissing(log, stream, events, since ?? earliest);
        const { position } = await log.append(stream, events, 'any');
        return { stored: NOTHING, conflicting: NOTHING, upTo: position };
      } catch (error) {
        const pause = RETRIES_MS[tries];
        if (!(error instanceof StoreUnavailable) || pause === undefined) throw error;
        await new Promise<void>((resolve) => after(pause, resolve));
      }
    }
  };

  const append = async (stream: string, waiting: readonly PendingEvent[], since: number | null): Promise<void> => {
    const events = waiting.map(({ event }) => event);
    try {
      const { stored, conflicting, upTo } = await appendSurely(stream, events, since);
      for (const { event, resolve } of waiting)
        resolve({ alreadyStored: stored.has(event.id), differs: conflicting.has(event.id), position: upTo });
    } catch (error) {
      if (waiting.length > 1 && error instanceof WrongExpectedRevision) {
        // The store recognizes some of these events as already stored. So append the events one by one: then each event
        // gets its own result.
        await Promise.all(waiting.map((one) => append(stream, [one], since)));
        return;
      }
      // The sizes of events are not measured in advance, because that would take as long as writing them, and large
      // batches are rare.
      if (waiting.length > 1 && error instanceof AppendTooLarge) {
        for (const some of splitToFit(waiting)) await append(stream, some, since);
        return;
      }
      for (const { reject } of waiting) reject(error);
    }
  };

  const flush = (stream: string): void => {
    const batch = batches.get(stream);
    if (!batch) return;
    batches.delete(stream);
    batch.cancelTimer();
    void append(stream, batch.waiting, null);
  };

  /**
   * Streams whose leisurely batches are flushed together, so that the batches share one commit of the log and one
   * commit of each read model.
   */
  const gathering = new Set<string>();
  let cancelGathering = (): void => undefined;

  const gather = (stream: string): (() => void) => {
    gathering.add(stream);
    if (gathering.size === 1) {
      cancelGathering = after(leisurelyWait, () => {
        for (const one of [...gathering]) flush(one);
      });
    }
    return () => {
      gathering.delete(stream);
      if (gathering.size === 0) cancelGathering();
    };
  };

  const flushAfter = (milliseconds: number, stream: string): (() => void) =>
    after(milliseconds, () => {
      flush(stream);
    });

  const batchOf = (stream: string, leisurely: boolean): Batch => {
    const known = batches.get(stream);
    if (known?.leisurely && !leisurely) {
      known.cancelTimer();
      known.leisurely = false;
      known.cancelTimer = flushAfter(wait, stream);
    }
    if (known) return known;
    const cancelTimer = leisurely ? gather(stream) : flushAfter(wait, stream);
    const batch: Batch = { waiting: [], leisurely, cancelTimer };
    batches.set(stream, batch);
    return batch;
  };

  const storeWithOthers = (stream: string, event: NewEvent, leisurely: boolean): Promise<BatchedOutcome> =>
    new Promise((resolve, reject) => {
      const batch = batchOf(stream, leisurely);
      batch.waiting.push({ event, resolve, reject });
      if (batch.waiting.length >= Math.min(enough, most)) flush(stream);
    });

  /**
   * Appends the waiting events that are not stored yet. The end of the stream is read once per batch, because many
   * events wait after an outage.
   */
  const readAndAppend = async (stream: string, sequence: UncertainBatch): Promise<void> => {
    sequence.underWay = true;
    while (sequence.waiting.length > 0) {
      const waiting = sequence.waiting.splice(0, most);
      await append(stream, waiting, Math.min(...waiting.map(({ since }) => since)));
    }
    doubtful.delete(stream);
  };

  const storeIfMissing = (stream: string, event: NewEvent, since: number): Promise<BatchedOutcome> =>
    new Promise((resolve, reject) => {
      const sequence = doubtful.get(stream) ?? { waiting: [], underWay: false };
      doubtful.set(stream, sequence);
      sequence.waiting.push({ event, resolve, reject, since });
      if (!sequence.underWay) void readAndAppend(stream, sequence);
    });

  return {
    store: (stream, event, { leisurely = false, since = null } = {}) => {
      const before = remembered.get(event.id);
      if (before?.stored) return wasStoredBefore(before.stored, before.by !== event.metadata);
      const recorded = Math.min(before?.recorded ?? Infinity, recordedAt(event));
      const from = before || since !== null ? Math.min(recorded, since ?? Infinity) : null;
      const stored = from === null ? storeWithOthers(stream, event, leisurely) : storeIfMissing(stream, event, from);
      const { metadata: by } = event;
      remembered.set(event.id, { stored, recorded, by });
      stored.catch(() => {
        remembered.set(event.id, { stored: null, recorded, by });
      });
      return stored;
    },

    flush: () => {
      for (const stream of [...batches.keys()]) flush(stream);
    },
  };
};

/** An event passed to `store`. */
interface RememberedEvent {
  /** null if the most recent append of the event failed with an unknown outcome */
  stored: Promise<BatchedOutcome> | null;
  recorded: number;
  /**
   * the metadata object of the event. It distinguishes this event from others with the same id, without keeping the
   * event's data in memory
   */
  by: NewEvent['metadata'];
}

const wasStoredBefore = async (stored: Promise<BatchedOutcome>, another: boolean): Promise<BatchedOutcome> => {
  const { position, ...first } = await stored;
  return { alreadyStored: true, differs: another || first.differs, position };
};

/**
 * Number of bytes of an append that are reserved for everything besides data and metadata, such as type names. The
 * stores count bytes in different ways, so this is an estimate. An append that is still too large is split again.
 */
const MARGIN = 65_536;

/** Splits events that exceed one append into at least two parts that fit. */
const splitToFit = (waiting: readonly PendingEvent[]): PendingEvent[][] => {
  const parts: PendingEvent[][] = [];
  let room = 0;
  for (const one of waiting) {
    const bytes = Buffer.byteLength(JSON.stringify([one.event.data, one.event.metadata]));
    const part = parts.at(-1);
    if (part && bytes <= room) part.push(one);
    else {
      parts.push([one]);
      room = MAX_APPEND_BYTES - MARGIN;
    }
    room -= bytes;
  }
  const [all = []] = parts;
  const half = Math.ceil(all.length / 2);
  return parts.length > 1 ? parts : [all.slice(0, half), all.slice(half)];
};

const NOTHING: ReadonlySet<string> = new Set();

const recordedAt = ({ metadata }: NewEvent): number => millisecondsOf(metadata.recorded_at);
