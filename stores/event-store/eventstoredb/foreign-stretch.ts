/**
 * A stretch of the server's global order that contains no event of a log, and ends at a foreign event. An event is
 * foreign to a log if another program wrote it, or if it belongs to another log or a queue.
 */
export interface ForeignStretch {
  /** position before the stretch */
  from: bigint;
  /** position of the last, foreign event of the stretch */
  to: bigint;
}

/** A stretch with the id of its last event. It can be stored, and a later process can verify it. */
export interface MarkedForeignStretch extends ForeignStretch {
  /**
   * id of the event at `to`. If another event is at this position, for example because a backup was restored, the
   * stretch is not valid any more.
   */
  id: string;
}

/**
 * Remembers the stretch of foreign events at the end of a log. A reader that has read all events of the log can skip
 * this stretch, instead of searching the events of other programs again.
 */
export class ForeignTail {
  #known: ForeignStretch | null = null;

  get known(): ForeignStretch | null {
    return this.#known;
  }

  learn({ from, to }: ForeignStretch): void {
    if (to <= from || (this.#known && to <= this.#known.to)) return;
    const goesOn = this.#known && this.#known.from <= from && from <= this.#known.to;
    this.#known = { from: goesOn && this.#known ? this.#known.from : from, to };
  }

  /**
   * Call when the event at the end of the stretch no longer exists, for example because another program's stream was
   * deleted and scavenged.
   */
  forget(): void {
    this.#known = null;
  }

  /**
   * Returns the position from which a reader at `after` may continue. If `after` is in the stretch, this is the end of
   * the stretch, and otherwise `after` itself.
   */
  skip(after: bigint): bigint {
    return this.#known && this.#known.from <= after && after < this.#known.to ? this.#known.to : after;
  }
}
