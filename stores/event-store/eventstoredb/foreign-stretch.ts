/** A stretch of the server's order that contains no event of a log and ends at a foreign event. */
export interface ForeignStretch {
  /** the log has no event after this position … */
  from: bigint;
  /** … up to this one, the position of a foreign event */
  to: bigint;
}

/** A stretch that a later process can verify and use. */
export interface MarkedForeignStretch extends ForeignStretch {
  /**
   * id of the event at `to`; if another event is there, for example after an older backup was restored, the stretch is
   * void
   */
  id: string;
}

/**
 * What is known about the end of a log on a server with foreign events. A reader at the last event of the log need not
 * search again what other programs have written since.
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

  /** Call when its end no longer exists, for example after other programs deleted streams and a scavenge. */
  forget(): void {
    this.#known = null;
  }

  /** The position from which a reader at `after` may continue: `after` itself, or one nearer to the end. */
  skip(after: bigint): bigint {
    return this.#known && this.#known.from <= after && after < this.#known.to ? this.#known.to : after;
  }
}
