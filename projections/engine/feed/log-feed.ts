import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { RecordedEvent } from '../../../domain/event.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import { causeOf } from '../status/error-cause.ts';
import { findPoison } from '../fold/poison.ts';
import type { EngineLogLine } from '../status/protocol.ts';
import { Tail } from './tail.ts';

const PAGE = 1_000;

/** Number of cached pages. Projections that are built in parallel share them, so that each page is read only once. */
const SHARED_PAGES = 2;

export interface EventPage {
  /** At most 1,000 events, in order. */
  events: RecordedEvent[];
  /** Whether the page ended at the end of the log when it was read. */
  atEnd: boolean;
}

export interface LogFeedOptions {
  store: EventStore;
  /** Position of an event that was appended just before the engine started. */
  mark: bigint;
  log: (line: EngineLogLine) => void;
  /** Pause after the subscription has failed, in milliseconds. */
  retry: number;
  signal: AbortSignal;
}

/**
 * Returns the events of a log after any position. Readers that are behind read pages from the store. When the first
 * reader has reached the end of the log, a subscription (the tail) is started, which feeds all readers at the end.
 */
export class LogFeed {
  readonly #options: LogFeedOptions;
  readonly #pages = new LRUCache<bigint, Promise<RecordedEvent[]>>({ max: SHARED_PAGES });
  #tail: Tail | null = null;

  constructor(options: LogFeedOptions) {
    this.#options = options;
  }

  /**
   * Position of an event at the end of the log when the engine started. A reader that has reached this position has all
   * earlier events.
   */
  get mark(): bigint {
    return this.#options.mark;
  }

  /**
   * Returns the events after a position. With `wait`, waits until there is at least one event.
   *
   * @returns null if the signal is aborted
   */
  async after(position: bigint, { wait, signal }: { wait: boolean; signal: AbortSignal }): Promise<EventPage | null> {
    while (!signal.aborted) {
      const covered = this.#tail?.covers(position) ?? false;
      const seen = this.#tail?.position;
      const events = covered ? (this.#tail?.after(position, PAGE) ?? []) : await this.#stored(position);
      const last = events.at(-1)?.position ?? position;
      if (events.length < PAGE) this.#follow(last);
      if (events.length > 0 || !wait) return { events, atEnd: events.length < PAGE };
      // If events have arrived during the read, read again immediately: `whenGrown` would miss them.
      if (this.#tail?.position === (seen ?? last)) await this.#tail.whenGrown(signal);
    }
    return null;
  }

  async #stored(position: bigint): Promise<RecordedEvent[]> {
    const shared = this.#pages.get(position);
    if (shared) return shared;
    const reading = this.#options.store.readAll({ after: position, limit: PAGE });
    this.#pages.set(position, reading);
    try {
      const events = await reading;
      if (events.length < PAGE) this.#pages.clear();
      return events;
    } catch (error) {
      this.#pages.delete(position);
      throw error;
    }
  }

  /** Starts the tail, unless it is running. */
  #follow(after: bigint): void {
    if (this.#tail) return;
    this.#tail = new Tail(after);
    void this.#subscribe(this.#tail, after);
  }

  /** Feeds the tail until the subscription fails. After that, readers read the store themselves and get the error. */
  async #subscribe(tail: Tail, after: bigint): Promise<void> {
    const { store, signal, log, retry } = this.#options;
    try {
      for await (const events of store.subscribe({ after, signal })) {
        tail.push(events);
      }
    } catch (error) {
      // Do not log unknown events here, because each projection reports them.
      if (!signal.aborted && !findPoison(error)) {
        const message = `The subscription to the log ${store.name} failed.`;
        log({ level: 'error', message, fields: {}, cause: causeOf(error) });
        await sleep(retry, undefined, { signal }).catch(() => undefined);
      }
    }
    this.#tail = null;
    tail.close();
  }
}
