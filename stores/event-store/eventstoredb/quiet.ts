/** A stretch of the server's order that ends at an event, and in which nothing of a log stands. */
export interface Quiet {
  /** nothing of the log stands after this position … */
  from: bigint;
  /** … up to this one, which is that of somebody else's event */
  to: bigint;
}

/** A stretch that a later process can rely on. */
export interface MarkedQuiet extends Quiet {
  /** id of the event at `to`: where another one stands, as after an older copy was restored, it says nothing */
  id: string;
}

/**
 * What is known of the end of a log on a server that others write to as well. Whoever is at the last event of the
 * log need not look again through what others have written since.
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

  /** To be called when nothing stands at its place any more, as after others have deleted theirs and a scavenge. */
  forget(): void {
    this.#known = null;
  }

  /** The position after which a reader that is at this one may go on: this one, or one that is nearer to the end. */
  skip(after: bigint): bigint {
    return this.#known && this.#known.from <= after && after < this.#known.to ? this.#known.to : after;
  }
}
