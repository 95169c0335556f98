import type { RecordedEvent } from '../../../domain/event.ts';

/** Maximum number of events in memory, for readers that are slightly behind. Readers further behind read the store. */
const MAX_EVENTS = 2_000;

/**
 * Maximum size of all events in memory, in characters. Results of scripts can be a thousand times as large as other
 * events.
 */
const MAX_CHARACTERS = 16_777_216;

/** Approximate overhead of a value, in characters. */
const VALUE = 16;

/** Returns the approximate size of a value, in characters. */
const sizeOf = (value: unknown): number => {
  if (typeof value === 'string') return VALUE + value.length;
  if (typeof value !== 'object' || value === null) return VALUE;
  let size = VALUE;
  for (const [name, part] of Object.entries(value)) size += name.length + sizeOf(part);
  return size;
};

/** The newest events of a log, for all projections at its end. */
export class Tail {
  /** The tail contains all events after this position. */
  #from: bigint;
  #to: bigint;
  #events: RecordedEvent[] = [];
  /** Approximate size of each event, in characters. */
  #sizes: number[] = [];
  #size = 0;
  readonly #waiting = new Set<() => void>();
  #closed = false;

  constructor(after: bigint) {
    this.#from = after;
    this.#to = after;
  }

  /** Position of the newest event. */
  get position(): bigint {
    return this.#to;
  }

  covers(position: bigint): boolean {
    return position >= this.#from;
  }

  /** Returns up to `limit` events after a position. The tail must cover the position. */
  after(position: bigint, limit: number): RecordedEvent[] {
    if (position >= this.#to) return [];
    const first = this.#events.findLastIndex((event) => event.position <= position) + 1;
    return this.#events.slice(first, first + limit);
  }

  push(events: readonly RecordedEvent[]): void {
    const last = events.at(-1);
    if (!last) return;
    for (const event of events) {
      const size = sizeOf(event.data);
      this.#events.push(event);
      this.#sizes.push(size);
      this.#size += size;
    }
    this.#to = last.position;
    if (this.#events.length > 2 * MAX_EVENTS || this.#size > 2 * MAX_CHARACTERS) this.#forget();
    this.#wake();
  }

  /** Drops the oldest events. */
  #forget(): void {
    let count = 0;
    while (this.#events.length - count > MAX_EVENTS || this.#size > MAX_CHARACTERS) {
      this.#size -= this.#sizes[count] ?? 0;
      count++;
    }
    this.#sizes.splice(0, count);
    const dropped = this.#events.splice(0, count);
    this.#from = dropped.at(-1)?.position ?? this.#from;
  }

  close(): void {
    this.#closed = true;
    this.#wake();
  }

  /** Resolves when events are pushed, when the tail is closed, or when the signal aborts. */
  whenGrown(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      if (this.#closed || signal.aborted) {
        resolve();
        return;
      }
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake);
    });
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake();
  }
}
