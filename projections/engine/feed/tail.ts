import type { RecordedEvent } from '../../../domain/event.ts';

/** How many of the newest events are kept for readers that are a little behind; those further back read them again. */
const KEPT = 2_000;

/** The newest events of a log, for all projections at its end. */
export class Tail {
  /** every event after this position is here, or still to come */
  #from: bigint;
  #to: bigint;
  #events: RecordedEvent[] = [];
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

  /** At most `limit` events after a position that is covered. */
  after(position: bigint, limit: number): RecordedEvent[] {
    if (position >= this.#to) return [];
    const first = this.#events.findLastIndex((event) => event.position <= position) + 1;
    return this.#events.slice(first, first + limit);
  }

  push(events: readonly RecordedEvent[]): void {
    const last = events.at(-1);
    if (!last) return;
    this.#events.push(...events);
    this.#to = last.position;
    if (this.#events.length > 2 * KEPT) {
      const gone = this.#events.splice(0, this.#events.length - KEPT);
      this.#from = gone.at(-1)?.position ?? this.#from;
    }
    this.#wake();
  }

  close(): void {
    this.#closed = true;
    this.#wake();
  }

  /** Resolves when events are pushed, when the tail is closed, or when the signal aborts. */
  grown(signal: AbortSignal): Promise<void> {
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
