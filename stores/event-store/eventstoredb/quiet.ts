/** A stretch of the server's order that ends at an event and holds nothing of a log. */
export interface Quiet {
  /** nothing of the log is after this position … */
  from: bigint;
  /** … up to this one, the position of an event of somebody else */
  to: bigint;
}

/** A stretch that a later process can rely on. */
export interface MarkedQuiet extends Quiet {
  /** id of the event at `to`; if another event is there, as after an older copy was restored, the stretch is void */
  id: string;
}

/**
 * What is known about the end of a log on a server that others write to too. A reader at the last event of the
 * log need not search again through what others have written since.
 */
export class QuietEnd {
  #known: Quiet | null = null;

  get known(): Quiet | null {
    return this.#known;
  }

  learn({ from, to }: Quiet): void {
    if (to <= from || (this.#known && to <= this.#known.to)) return;
    const goesOn = this.#known && this.#known.from <= from && from <= this.#known.to;
    this.#known = { from: goesOn && this.#known ? this.#known.from : from, to };
  }

  /** Call when its end no longer exists, as after others deleted their streams and a scavenge. */
  forget(): void {
    this.#known = null;
  }

  /** The position from which a reader at this one may go on: the same one, or one that is nearer to the end. */
  skip(after: bigint): bigint {
    return this.#known && this.#known.from <= after && after < this.#known.to ? this.#known.to : after;
  }
}
