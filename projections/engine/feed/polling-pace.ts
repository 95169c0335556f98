/** Maximum and minimum pause between two polls, in milliseconds. */
const LONGEST = 15;
const SHORTEST = 3;

/** Assumed duration of a wait before the first measurement, in milliseconds. */
const UNKNOWN = 60;
/**
 * Maximum duration of a wait that is counted, in milliseconds. Longer waits are exceptions, and count as this duration.
 */
const SLOW = 250;

/**
 * Chooses the pauses between polls for an event, from the usual duration of earlier waits. The first poll is after half
 * the usual duration. Each further pause is a sixth of the usual duration. All times are in milliseconds.
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
