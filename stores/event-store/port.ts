import type { NewEvent, RecordedEvent } from '../../domain/event.ts';
import { millisecondsOf } from '../../domain/time.ts';

/**
 * Expected state of a stream before an append: its last revision, no stream, an existing stream, or any state. If an
 * append with `'any'` is repeated, its events may be stored twice.
 */
export type ExpectedRevision = bigint | 'no_stream' | 'stream_exists' | 'any';

export interface Appended {
  /** revision of the last event of this append */
  revision: bigint;
  /** position of the last event of this append */
  position: bigint;
}

export interface ReadStreamOptions {
  /** revision of the first event to read; default: the start, or the end when reading backwards */
  from?: bigint;
  direction?: 'forwards' | 'backwards';
  limit?: number;
}

export interface ReadAllOptions {
  /** events after this position, which must be that of an event; 0n is the start */
  after: bigint;
  /** whether to include the event at `after` */
  inclusive?: boolean;
  /** returns only events of streams of these categories; default: all */
  categories?: readonly string[];
  /** maximum number of events; default: 1,000 */
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
 * One log: streams of events in one global order. The service opens two, `main` and `results`
 * (docs/decisions/0002-two-logs.md). Every adapter passes `test/contracts/event-store.ts`. Adapters store events
 * unchanged. `stores/event-store/checked.ts` wraps an adapter to validate schemas and upcast earlier versions.
 */
export interface EventStore {
  /** `main` or `results` */
  readonly name: string;

  /**
   * Appends all events or none. Resolves when they are durable. A repeated append, with the same event ids and the same
   * expected revision, has the same result as the first one.
   *
   * @throws WrongExpectedRevision nothing was appended
   * @throws AppendTooLarge the events of the append exceed 1 MiB in total; nothing was appended
   * @throws StoreUnavailable the outcome is unknown, or the store can't write; the caller may retry with the same event
   * ids and the same expected revision
   * @throws DamagedEvent the end of the stream can't be read; nothing was appended
   */
  append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<Appended>;

  /**
   * Returns the log's first event, which identifies the log (`identity.ts`); null if the log is empty.
   *
   * @throws DamagedEvent
   */
  first(): Promise<RecordedEvent | null>;

  /**
   * Returns the events of a stream in order; an empty array if the stream does not exist.
   *
   * @throws DamagedEvent
   */
  readStream(stream: string, options?: ReadStreamOptions): Promise<RecordedEvent[]>;

  /**
   * Returns one page of the global order, oldest first. An empty page means the end of the log. A page ends before a
   * damaged event.
   *
   * @throws DamagedEvent the first event of the page is damaged
   */
  readAll(options: ReadAllOptions): Promise<RecordedEvent[]>;

  /**
   * Yields the events after a position in arrays (never empty, at most 1,000): first stored events, then new ones, each
   * exactly once and in order. Reconnects automatically, and ends only when the signal aborts.
   */
  subscribe(options: SubscribeOptions): AsyncIterable<RecordedEvent[]>;

  /** Returns whether appends currently succeed, for `/health`. */
  health(): Promise<StoreHealth>;

  /** Waits for pending appends, and ends subscriptions. */
  close(): Promise<void>;
}

/** The outcome of storing an event in a batch. */
export interface BatchedOutcome {
  /** whether the event was in the log already */
  alreadyStored: boolean;
  /** whether the log contains a different event with the same id, stored by another worker; false if unknown */
  differs: boolean;
  /** a position at or after that of the event: a read model with this checkpoint has folded the event */
  position: bigint;
}

export interface StoreOptions {
  /** true if no caller waits for the event, so that it can wait for a larger batch */
  leisurely?: boolean;
  /**
   * Set if another worker may have stored the event: the earliest time at which that worker can have stored it,
   * milliseconds since 1970. The log is then searched for the event before the event is appended.
   */
  since?: number | null;
}

/**
 * Combines single events into few appends, for streams that receive more events per second than the log can append one
 * by one.
 */
export interface Batches {
  /**
   * Stores an event. Resolves when the event is durable. A repeated event is stored only once.
   *
   * @throws StoreUnavailable, AppendTooLarge
   */
  store: (stream: string, event: NewEvent, options?: StoreOptions) => Promise<BatchedOutcome>;
  /** Appends all waiting events immediately, for example when the process stops. */
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

/** An event does not match its own definition. The cause is a bug in the program, never an invalid request. */
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
 * A stored event has a type or version that this release does not know, because a newer release wrote it. Reads through
 * `checked` return the events before it and then throw this error. They never skip the event.
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
 * A stored event differs from what was appended, for example because of a disk fault. The message names the file. Reads
 * of the global order return the events before the damaged one and then throw this error; a read of the event's stream
 * throws immediately. Reads fail like this until the log is restored.
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

/** Maximum size of the data and metadata of all events of one append, in bytes. EventStoreDB has the same limit. */
export const MAX_APPEND_BYTES = 1_048_576;

/** Called with new events, in order. */
export type LogListener = (events: readonly RecordedEvent[]) => void;

/** Watches the events that all processes append to a log. */
export interface LogWatch {
  /**
   * Reports events that are appended after this call. Events that are appended while the log is unavailable may be
   * missed.
   *
   * @returns a function that stops listening
   */
  listen: (listener: LogListener) => () => Promise<void>;
}

export type LogWatches = Readonly<Record<'main' | 'results', LogWatch>>;
