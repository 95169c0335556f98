import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { RecordedEvent } from '../../../domain/event.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import { causeOf } from '../status/error-cause.ts';
import { findPoison } from '../fold/poison.ts';
import type { EngineLogLine } from '../status/protocol.ts';
import { Tail } from './tail.ts';

const PAGE = 1_000;

/** Number of cached pages, which projections that are built in parallel share, so that each page is read once. */
const SHARED_PAGES = 2;

export interface EventPage {
  /** at most 1,000, in order */
  events: RecordedEvent[];
  /** whether there were no more events when they were read */
  atEnd: boolean;
}

export interface LogFeedOptions {
  store: EventStore;
  /** position of an event that was appended just before */
  mark: bigint;
  log: (line: EngineLogLine) => void;
  /** first pause after the subscription failed, milliseconds */
  retry: number;
  signal: AbortSignal;
}

/**
 * Returns the events of a log after any position. Readers that are behind read pages from the store. Once the first has
 * reached the end, a single subscription, the tail, feeds all readers at the end.
 */
export class LogFeed {
  readonly #options: LogFeedOptions;
  readonly #pages = new LRUCache<bigint, Promise<RecordedEvent[]>>({ max: SHARED_PAGES });
  #tail: Tail | null = null;

  constructor(options: LogFeedOptions) {
    this.#options = options;
  }

  /** A reader at this position has everything that was in the log when the engine started. */
  get mark(): bigint {
    return this.#options.mark;
  }

  /**
   * The events after a position; with `wait`, at least one.
   *
   * @returns null if the signal has aborted
   */
  async after(position: bigint, { wait, signal }: { wait: boolean; signal: AbortSignal }): Promise<EventPage | null> {
    while (!signal.aborted) {
      const covered = this.#tail?.covers(position) ?? false;
      const seen = this.#tail?.position;
      const events = covered ? (this.#tail?.after(position, PAGE) ?? []) : await this.#stored(position);
      const last = events.at(-1)?.position ?? position;
      if (events.length < PAGE) this.#follow(last);
      if (events.length > 0 || !wait) return { events, atEnd: events.length < PAGE };
      // Events that arrived during the read no longer wake anyone, so check again immediately.
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

  /** Starts the tail unless it has started. */
  #follow(after: bigint): void {
    if (this.#tail) return;
    this.#tail = new Tail(after);
    void this.#subscribe(this.#tail, after);
  }

  /** The tail ends when its subscription fails; then each reader reads the store itself and sees the error. */
  async #subscribe(tail: Tail, after: bigint): Promise<void> {
    const { store, signal, log, retry } = this.#options;
    try {
      for await (const events of store.subscribe({ after, signal })) {
        tail.push(events);
      }
    } catch (error) {
      // Each projection reports an unknown event itself.
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
