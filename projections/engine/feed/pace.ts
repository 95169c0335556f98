/** Maximum pause between two looks while somebody waits, milliseconds; and the minimum. */
const LONGEST = 15;
const SHORTEST = 3;

/** Assumed duration of a wait that was never measured, milliseconds. */
const UNKNOWN = 60;
/** Longer waits are not learned from: something was wrong. */
const SLOW = 250;

/**
 * How often to look for something that comes by itself: rarely before it usually comes, and then at intervals that
 * are short compared to how long it takes. All in milliseconds.
 */
export class Pace {
  #usual = UNKNOWN;

  /** How long after the beginning of a wait the first look is. */
  get first(): number {
    return this.#usual / 2;
  }

  /** How long after one look the next one is. */
  get next(): number {
    return Math.min(Math.max(this.#usual / 6, SHORTEST), LONGEST);
  }

  /** Records how long a wait has taken. */
  learn(took: number): void {
    this.#usual += (Math.min(took, SLOW) - this.#usual) / 4;
  }
}
