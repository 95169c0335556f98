import { backoffAfter } from '../engine/item-result.ts';

/**
 * What an attempt shows about the target. `answered`: the target responded. `failed`: the target failed in a way that
 * should delay other messages. `unavailableUntil`: the relay is unavailable until that time, in milliseconds since
 * 1970. `nothing`: the state of the target remains unknown.
 */
export type AttemptSignal = 'answered' | 'failed' | 'nothing' | { unavailableUntil: number };

/**
 * Number of consecutive failures after which all messages to a target pause. More than one, because a host with many
 * receivers can fail for a single receiver.
 */
const FAILURES = 3;
/** How long the failures of a target without messages are remembered after the end of its pause, milliseconds. */
const FORGOTTEN_MS = 3_600_000;
/** A target is slow if its messages take longer than this on average, milliseconds. */
const SLOW_MS = 2_000;
/** Weight of the newest message in the moving average of durations. */
const WEIGHT = 0.2;

/** The state of one target: its circuit breaker, its average duration, and the queues that wait for it. */
export class TargetState<Queue> {
  readonly key: string;
  readonly #atOnce: number;
  underWay = 0;
  /** end of the present pause, milliseconds since 1970 */
  until = 0;
  /** number of queues with messages to this target */
  queues = 0;
  /** queues that wait for a free slot, in order of arrival */
  readonly waiting = new Set<Queue>();
  /** consecutive failures */
  #failures = 0;
  #outOfOrder = false;
  /** average duration of a message, milliseconds */
  #average = 0;

  constructor(key: string, atOnce: number) {
    this.key = key;
    this.#atOnce = atOnce;
  }

  /**
   * Returns whether another message may start. After a pause, a single message tests whether the target works again.
   */
  hasFreeSlot(now: number): boolean {
    return now >= this.until && this.underWay < (this.#isFailing ? 1 : this.#atOnce);
  }

  /**
   * Records the end of a message. @returns whether the relay became unavailable or available again; null if that has
   * not changed
   */
  release(sign: AttemptSignal, now: number, milliseconds: number): 'unavailable' | 'available' | null {
    this.underWay -= 1;
    if (sign === 'nothing') return null;
    this.#average += WEIGHT * (milliseconds - this.#average);
    const was = this.#outOfOrder;
    this.#outOfOrder = typeof sign === 'object';
    if (typeof sign === 'object') {
      this.#failures = Math.max(this.#failures + 1, FAILURES);
      this.until = Math.max(this.until, sign.unavailableUntil);
    } else if (sign === 'failed') {
      this.#failures += 1;
      if (this.#isFailing) this.until = now + backoffAfter(this.#failures - FAILURES + 1);
    } else {
      this.#failures = 0;
      this.until = 0;
    }
    if (was === this.#outOfOrder) return null;
    return this.#outOfOrder ? 'unavailable' : 'available';
  }

  isBacklogged(now: number): boolean {
    return this.#isFailing || now < this.until || this.#average > SLOW_MS;
  }

  /** Returns whether the state of the target no longer affects any message. */
  isForgotten(now: number): boolean {
    return !this.#isFailing || (this.queues === 0 && now >= this.until + FORGOTTEN_MS);
  }

  get isIdle(): boolean {
    return this.underWay === 0 && this.queues === 0;
  }

  get #isFailing(): boolean {
    return this.#failures >= FAILURES;
  }
}
