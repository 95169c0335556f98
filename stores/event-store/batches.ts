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

/** Backoff before an append with an unknown outcome is repeated. */
const RETRIES_MS = [50, 200, 800, 2_000];
/** Number of events remembered to recognize repeats. */
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

/** Events that may already be in the stream. */
interface UncertainBatch {
  waiting: (PendingEvent & { since: number })[];
  underWay: boolean;
}

export interface BatchesOptions {
  log: Pick<EventStore, 'append' | 'readStream'>;
  /** Calls back once after this many milliseconds, unless the returned function is called first. */
  after: (milliseconds: number, callback: () => void) => () => void;
  limits?: Partial<BatchLimits>;
}

/** When a batch is appended. */
export interface BatchLimits {
  /** most events in one append */
  events: number;
  /** a stream with this many waiting events is appended without further waiting */
  enough: number;
  /** how long an event waits for others, milliseconds */
  wait: number;
  /**
   * how long an event waits at most if no caller waits for it: each append costs a commit here and one in every read
   * model
   */
  leisurelyWait: number;
}

const LIMITS: BatchLimits = { events: 500, enough: 500, wait: 20, leisurelyWait: 500 };

/**
 * Batches appends to the streams of a log, with expected revision "any": readers ignore events they have seen
 * (docs/decisions/0017-results-expect-any-revision.md). EventStoreDB remembers the ids of such appends only for a while. So before repeating an append
 * with an unknown outcome, or storing an event that another worker may have stored, it reads the end of the stream to
 * see what is there.
 */
export const createBatches = ({ log, after, limits = {} }: BatchesOptions): Batches => {
  const { events: most, enough, wait, leisurelyWait } = { ...LIMITS, ...limits };
  const batches = new Map<string, Batch>();
  const doubtful = new Map<string, UncertainBatch>();
  /** events by id, with the time they were first recorded */
  const remembered = new LRUCache<string, RememberedEvent>({ max: MAX_REMEMBERED });

  /** @param since null if none of them can be stored before the first attempt */
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
        // The store remembers some of them; appended one by one, each gets its own result.
        await Promise.all(waiting.map((one) => append(stream, [one], since)));
        return;
      }
      // Rare, so events are not measured in advance, which would take as long as writing them.
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

  /** Streams whose leisurely batches are flushed together, so that they share a commit and a fold. */
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

  /** Reads the end of a stream once for all waiting events: after an outage there are many. */
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
  /** null while its outcome is unknown */
  stored: Promise<BatchedOutcome> | null;
  recorded: number;
  /** distinguishes it from another event with the same id, without keeping its data */
  by: NewEvent['metadata'];
}

const wasStoredBefore = async (stored: Promise<BatchedOutcome>, another: boolean): Promise<BatchedOutcome> => {
  const { position, ...first } = await stored;
  return { alreadyStored: true, differs: another || first.differs, position };
};

/**
 * Bytes of an append reserved for type names and the like. Stores count differently; an append that is still too large
 * is split again.
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
