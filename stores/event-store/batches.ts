import { LRUCache } from 'lru-cache';
import type { NewEvent } from '../../domain/event.ts';
import { millisecondsOf } from '../../domain/time.ts';
import { appendMissing, type AppendedMissing } from './append-missing.ts';
import {
  AppendTooLarge,
  MAX_APPEND_BYTES,
  StoreUnavailable,
  WrongExpectedRevision,
  type Batches,
  type EventStore,
  type Stored,
} from './port.ts';

/** Pauses before an append with an unknown outcome is repeated. */
const RETRIES_MS = [50, 200, 800, 2_000];
/** How many events are remembered, to recognize them when they come again. */
const REMEMBERED = 5_000;

interface Waiting {
  event: NewEvent;
  resolve: (stored: Stored) => void;
  reject: (error: unknown) => void;
}

interface Batch {
  waiting: Waiting[];
  leisurely: boolean;
  cancelTimer: () => void;
}

/** Events that may already be in the stream. */
interface Doubtful {
  waiting: (Waiting & { since: number })[];
  underWay: boolean;
}

export interface BatchesOptions {
  log: Pick<EventStore, 'append' | 'readStream'>;
  /** Calls back once after so many milliseconds, unless the returned function is called first. */
  after: (milliseconds: number, callback: () => void) => () => void;
  limits?: Partial<Limits>;
}

/** When a batch is appended. */
export interface Limits {
  /** most events in an append */
  events: number;
  /** this many events of a stream wait for no more, even if an append could hold more */
  enough: number;
  /** how long an event waits for others, milliseconds */
  wait: number;
  /**
   * how long an event waits at most when no caller waits for it: an append costs a commit here and one in every read model
   */
  leisurelyWait: number;
}

const LIMITS: Limits = { events: 500, enough: 500, wait: 20, leisurelyWait: 500 };

/**
 * Appends events to the streams of a log, many in one append, expecting any revision: readers ignore what they have
 * seen (design.md: Two logs). EventStoreDB remembers the ids of such appends only for a while. So before an append with
 * an unknown outcome is repeated, or an event is stored that another worker may have stored, the end of the stream is
 * read to see what is there.
 */
export const createBatches = ({ log, after, limits = {} }: BatchesOptions): Batches => {
  const { events: most, enough, wait, leisurelyWait } = { ...LIMITS, ...limits };
  const batches = new Map<string, Batch>();
  const doubtful = new Map<string, Doubtful>();
  /** events by id, with the time they were first recorded */
  const remembered = new LRUCache<string, Remembered>({ max: REMEMBERED });

  /**
   * @param since null: none of them can be there before the first try
   */
  const appendSurely = async (
    stream: string,
    events: readonly NewEvent[],
    since: number | null,
  ): Promise<Pick<AppendedMissing, 'stood' | 'others' | 'upTo'>> => {
    const earliest = Math.min(...events.map(recordedAt));
    for (let tries = 0; ; tries++) {
      try {
        if (tries > 0 || since !== null) return await appendMissing(log, stream, events, since ?? earliest);
        const { position } = await log.append(stream, events, 'any');
        return { stood: NOTHING, others: NOTHING, upTo: position };
      } catch (error) {
        const pause = RETRIES_MS[tries];
        if (!(error instanceof StoreUnavailable) || pause === undefined) throw error;
        await new Promise<void>((resolve) => after(pause, resolve));
      }
    }
  };

  const append = async (stream: string, waiting: readonly Waiting[], since: number | null): Promise<void> => {
    const events = waiting.map(({ event }) => event);
    try {
      const { stood, others, upTo } = await appendSurely(stream, events, since);
      for (const { event, resolve } of waiting)
        resolve({ stood: stood.has(event.id), another: others.has(event.id), position: upTo });
    } catch (error) {
      if (waiting.length > 1 && error instanceof WrongExpectedRevision) {
        // The store knows some of them; appended one by one it answers for each.
        await Promise.all(waiting.map((one) => append(stream, [one], since)));
        return;
      }
      // This is rare, so events are not measured beforehand, which would take as long as writing them.
      if (waiting.length > 1 && error instanceof AppendTooLarge) {
        for (const some of fittingParts(waiting)) await append(stream, some, since);
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

  /** Streams whose leisurely batches are flushed together: appends of one moment share a commit and a fold. */
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

  const storeWithOthers = (stream: string, event: NewEvent, leisurely: boolean): Promise<Stored> =>
    new Promise((resolve, reject) => {
      const batch = batchOf(stream, leisurely);
      batch.waiting.push({ event, resolve, reject });
      if (batch.waiting.length >= Math.min(enough, most)) flush(stream);
    });

  /** Reads the end of a stream once for all that have come meanwhile: after an outage there are many. */
  const lookAndAppend = async (stream: string, lane: Doubtful): Promise<void> => {
    lane.underWay = true;
    while (lane.waiting.length > 0) {
      const waiting = lane.waiting.splice(0, most);
      await append(stream, waiting, Math.min(...waiting.map(({ since }) => since)));
    }
    doubtful.delete(stream);
  };

  const storeIfMissing = (stream: string, event: NewEvent, since: number): Promise<Stored> =>
    new Promise((resolve, reject) => {
      const lane = doubtful.get(stream) ?? { waiting: [], underWay: false };
      doubtful.set(stream, lane);
      lane.waiting.push({ event, resolve, reject, since });
      if (!lane.underWay) void lookAndAppend(stream, lane);
    });

  return {
    store: (stream, event, { leisurely = false, since = null } = {}) => {
      const before = remembered.get(event.id);
      if (before?.stored) return storedBefore(before.stored, before.by !== event.metadata);
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

/** An event that was to be stored. */
interface Remembered {
  /** null while its outcome is unknown */
  stored: Promise<Stored> | null;
  recorded: number;
  /** tells it from another event with its id, without keeping what it says */
  by: NewEvent['metadata'];
}

const storedBefore = async (stored: Promise<Stored>, another: boolean): Promise<Stored> => {
  const { position, ...first } = await stored;
  return { stood: true, another: another || first.another, position };
};

/**
 * What an append leaves for the names of types and the like, in bytes: stores do not count as we do, and what still is
 * too large is parted again.
 */
const MARGIN = 65_536;

/** Parts that an append can hold, of more than it can; at least two. */
const fittingParts = (waiting: readonly Waiting[]): Waiting[][] => {
  const parts: Waiting[][] = [];
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
