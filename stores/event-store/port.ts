import type { NewEvent, RecordedEvent } from '../../domain/event.ts';
import { millisecondsOf } from '../../domain/time.ts';

/**
 * Expected state of a stream before an append: at a revision, absent, present, or anything. `'any'` does not exclude
 * duplicates.
 */
export type ExpectedRevision = bigint | 'no_stream' | 'stream_exists' | 'any';

export interface Appended {
  /** revision of the last event of this append */
  revision: bigint;
  /** position of the last event of this append */
  position: bigint;
}

export interface ReadStreamOptions {
  /** first revision to read; default: the start, or the end when reading backwards */
  from?: bigint;
  direction?: 'forwards' | 'backwards';
  limit?: number;
}

export interface ReadAllOptions {
  /** events after this position, which must be that of an event; 0n is the start */
  after: bigint;
  /** include the event at that position */
  inclusive?: boolean;
  /** only streams of these categories; all when absent */
  categories?: readonly string[];
  /** at most this many events; default 1,000 */
  limit?: number;
}

export interface SubscribeOptions {
  /** events after this position, which must be that of an event; 0n is the start */
  after: bigint;
  categories?: readonly string[];
  /** ends the subscription */
  signal: AbortSignal;
}

/**
 * One log: streams of events in one global order. The service opens two, `main` and `results` (docs/decisions/0002-two-logs.md).
 * Every adapter passes `test/contracts/event-store.ts`. Adapters store events unchanged:
 * `stores/event-store/checked.ts` wraps an adapter, validates schemas and upcasts old versions.
 */
export interface EventStore {
  /** `main` or `results` */
  readonly name: string;

  /**
   * Appends all events or none; resolves once they are durable. The same event ids at the same expected revision get
   * the same result as the first time.
   *
   * @throws WrongExpectedRevision nothing was appended
   * @throws AppendTooLarge the append is over 1 MiB in all; nothing was appended
   * @throws StoreUnavailable the outcome is unknown or the store can't write; the caller may retry with the same ids
   * and the same expected revision
   * @throws DamagedEvent the end of the stream can't be read; nothing was appended
   */
  append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<Appended>;

  /** The log's first event, which identifies it (`identity.ts`); null if the log is empty. @throws DamagedEvent */
  first(): Promise<RecordedEvent | null>;

  /** Events of a stream in order; an absent stream has none. @throws DamagedEvent */
  readStream(stream: string, options?: ReadStreamOptions): Promise<RecordedEvent[]>;

  /** One page of the global order, oldest first; empty at the end. @throws DamagedEvent the page begins with it */
  readAll(options: ReadAllOptions): Promise<RecordedEvent[]>;

  /**
   * Arrays of events (never empty, at most 1,000) after a position: first stored events, then new ones, each exactly
   * once, in order. Reconnects automatically; ends only by its signal.
   */
  subscribe(options: SubscribeOptions): AsyncIterable<RecordedEvent[]>;

  /** Whether appends succeed at present; for `/health`. */
  health(): Promise<StoreHealth>;

  /** Waits for pending appends, and ends subscriptions. */
  close(): Promise<void>;
}

/** The outcome of an event that was stored in a batch. */
export interface BatchedOutcome {
  /** whether it was in the log already */
  alreadyStored: boolean;
  /**
   * whether the log contains a different event with its id, stored by another worker; false if that can't be determined
   */
  differs: boolean;
  /** the event is at or before this position: a read model that has got this far has read it */
  position: bigint;
}

export interface StoreOptions {
  /** no caller waits for it, so it may wait longer and share a larger batch */
  leisurely?: boolean;
  /**
   * the event may already be in the log, stored by another worker and recorded at this time at the earliest,
   * milliseconds since 1970. The log is searched for it before it is appended.
   */
  since?: number | null;
}

/** Batches single events into few appends, for streams with more events than a log can take appends. */
export interface Batches {
  /**
   * Resolves once the event is durable. A repeated event is stored only once.
   *
   * @throws StoreUnavailable, AppendTooLarge
   */
  store: (stream: string, event: NewEvent, options?: StoreOptions) => Promise<BatchedOutcome>;
  /** Appends all gathered events without further waiting, for example when the process stops. */
  flush: () => void;
}

export interface StoreHealth {
  writable: boolean;
  /** a sentence that says why appends fail; null while they succeed */
  message: string | null;
}

export class WrongExpectedRevision extends Error {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly actual: bigint | 'no_stream';

  constructor(stream: string, expected: ExpectedRevision, actual: bigint | 'no_stream') {
    super(`Stream ${stream} is at ${String(actual)}, not at ${String(expected)}.`);
    this.name = 'WrongExpectedRevision';
    this.stream = stream;
    this.expected = expected;
    this.actual = actual;
  }
}

export class AppendTooLarge extends Error {
  constructor(stream: string, bytes: number) {
    super(`An append to ${stream} has ${bytes} bytes; at most ${MAX_APPEND_BYTES} are allowed.`);
    this.name = 'AppendTooLarge';
  }
}

/** An event that does not match its own definition: a bug in the program, never a fault of a request. */
export class InvalidEvent extends Error {
  readonly type: string;
  readonly broken: readonly string[];

  constructor(type: string, broken: readonly string[]) {
    super(`${type} can't be appended: ${broken.join('; ')}.`);
    this.name = 'InvalidEvent';
    this.type = type;
    this.broken = broken;
  }
}

/**
 * A stored event of a type or version that this release does not know, since a newer one wrote it. Reads through
 * `checked` return the events before it and then throw this error: it is never skipped.
 */
export class UnknownEvent extends Error {
  readonly stream: string;
  readonly position: bigint;
  readonly type: string;
  readonly version: number;
  /** milliseconds since 1970 */
  readonly recordedAt: number;

  constructor(event: RecordedEvent) {
    const { stream, position, type, metadata } = event;
    super(
      `The event ${type}, version ${metadata.schema_version}, of stream ${stream} at position ` +
        `${position} is unknown to this release.`,
    );
    this.name = 'UnknownEvent';
    this.stream = stream;
    this.position = position;
    this.type = type;
    this.version = metadata.schema_version;
    this.recordedAt = millisecondsOf(metadata.recorded_at);
  }
}

/**
 * A stored event differs from what was appended: a disk or a copy has changed it. Reads return the events before it and
 * then throw this error, whose message names the file; a read of its stream throws immediately. This lasts until the
 * log is restored.
 */
export class DamagedEvent extends Error {
  /** null when the stream can't be determined */
  readonly position: bigint | null;
  readonly stream: string | null;

  constructor(
    message: string,
    { position = null, stream = null }: { position?: bigint | null; stream?: string | null },
  ) {
    super(message);
    this.name = 'DamagedEvent';
    this.position = position;
    this.stream = stream;
  }
}

/** The store does not respond, or can't write (disk full, read-only file system, connection lost). */
export class StoreUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreUnavailable';
  }
}

/** Limit of one append: data and metadata of all its events (EventStoreDB's own limit). */
export const MAX_APPEND_BYTES = 1_048_576;

/** Called with new events, in order. */
export type LogListener = (events: readonly RecordedEvent[]) => void;

/** Watches what all processes append to a log. */
export interface LogWatch {
  /**
   * Reports events appended from about now on, except those appended while the log is unavailable.
   *
   * @returns a function that stops listening
   */
  listen: (listener: LogListener) => () => Promise<void>;
}

export type LogWatches = Readonly<Record<'main' | 'results', LogWatch>>;
