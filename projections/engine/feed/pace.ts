/** At most so long between two looks while somebody waits, milliseconds; and at least. */
const LONGEST = 15;
const SHORTEST = 3;

/** What was never waited for is taken to last so long, milliseconds. */
const UNKNOWN = 60;
/** What lasts longer teaches nothing: something was wrong. */
const SLOW = 250;

/**
 * How often to look for something that comes by itself: seldom before it usually comes, and then at intervals that
 * are short beside the time that it takes. All in milliseconds.
 */
export class Pace {
  #usual = UNKNOWN;

  /** How long after the beginning of a wait it is looked for first. */
  get first(): number {
    return this.#usual / 2;
  }

  /** How long after a look it is looked for again. */
  get next(): number {
    return Math.min(Math.max(this.#usual / 6, SHORTEST), LONGEST);
  }

  /** Takes note of how long a wait has taken. */
  learn(took: number): void {
    this.#usual += (Math.min(took, SLOW) - this.#usual) / 4;
  }
}
