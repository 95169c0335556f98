/** Maximum and minimum pause between two polls during a wait, milliseconds. */
const LONGEST = 15;
const SHORTEST = 3;

/** Assumed duration of a wait that was never measured, milliseconds. */
const UNKNOWN = 60;
/** Longer waits are not learned from, because something was wrong. */
const SLOW = 250;

/**
 * Polling intervals for an event that arrives on its own: rare before it usually arrives, and then short compared to
 * the usual wait. All in milliseconds.
 */
export class PollingPace {
  #usual = UNKNOWN;

  /** Time from the start of a wait to the first poll. */
  get first(): number {
    return this.#usual / 2;
  }

  /** Time from one poll to the next. */
  get next(): number {
    return Math.min(Math.max(this.#usual / 6, SHORTEST), LONGEST);
  }

  /** Records the duration of a wait. */
  learn(took: number): void {
    this.#usual += (Math.min(took, SLOW) - this.#usual) / 4;
  }
}
