import { pauseAfter } from '../engine/ending.ts';

/**
 * What a message that was under way says about its target: it answered; it failed so that others to it should wait;
 * what hands messages over is out of order until a time (milliseconds since 1970); nothing.
 */
export type Sign = 'answered' | 'failed' | 'nothing' | { outOfOrderUntil: number };

/** So many failures in a row are a pause for all messages to a target: at a host of many, one may fail by itself. */
const FAILURES = 3;
/** How long the failures of a target without messages are remembered, milliseconds. */
const FORGOTTEN_MS = 3_600_000;
/** A target that takes longer on average is slow, milliseconds. */
const SLOW_MS = 2_000;
/** How much of the average a single message makes. */
const WEIGHT = 0.2;

/** What is known about one target, and what waits for it. */
export class Lane<Queue> {
  readonly key: string;
  readonly #atOnce: number;
  underWay = 0;
  /** until when it has a pause, milliseconds since 1970 */
  until = 0;
  /** how many there are */
  queues = 0;
  /** queues that wait until it takes more, in the order in which they came */
  readonly waiting = new Set<Queue>();
  /** in a row */
  #failures = 0;
  #outOfOrder = false;
  /** how long a message takes, milliseconds */
  #average = 0;

  constructor(key: string, atOnce: number) {
    this.key = key;
    this.#atOnce = atOnce;
  }

  /** Whether one more may begin. After a pause a single one shows whether the target works again. */
  takesMore(now: number): boolean {
    return now >= this.until && this.underWay < (this.#isFailing ? 1 : this.#atOnce);
  }

  /** A message has ended. @returns whether a relay has gone out of order, or works again; null: as before */
  leave(sign: Sign, now: number, milliseconds: number): 'out of order' | 'works again' | null {
    this.underWay -= 1;
    if (sign === 'nothing') return null;
    this.#average += WEIGHT * (milliseconds - this.#average);
    const was = this.#outOfOrder;
    this.#outOfOrder = typeof sign === 'object';
    if (typeof sign === 'object') {
      this.#failures = Math.max(this.#failures + 1, FAILURES);
      this.until = Math.max(this.until, sign.outOfOrderUntil);
    } else if (sign === 'failed') {
      this.#failures += 1;
      if (this.#isFailing) this.until = now + pauseAfter(this.#failures - FAILURES + 1);
    } else {
      this.#failures = 0;
      this.until = 0;
    }
    if (was === this.#outOfOrder) return null;
    return this.#outOfOrder ? 'out of order' : 'works again';
  }

  isHeldUp(now: number): boolean {
    return this.#isFailing || now < this.until || this.#average > SLOW_MS;
  }

  /** Whether nothing is remembered of it that matters. */
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
