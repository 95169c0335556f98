/** Burst size, as a fraction of the messages per second. */
const BURST = 0.1;

/** Limits how many messages start per second. Uses elapsed time, not the clock. */
export class MessageRate {
  readonly #pause: number;
  readonly #elapsed: () => number;
  /** when the next message would start at an even rate, milliseconds */
  #next = 0;

  /** @param elapsed milliseconds since an arbitrary time; monotonic */
  constructor(perSecond: number, elapsed: () => number = () => performance.now()) {
    this.#pause = 1_000 / perSecond;
    this.#elapsed = elapsed;
  }

  /** Time until one more may start, milliseconds; 0: now. */
  get wait(): number {
    return Math.max(0, this.#next - this.#elapsed() - Math.max(this.#pause, 1_000 * BURST) + this.#pause);
  }

  begin(): void {
    this.#next = Math.max(this.#next, this.#elapsed()) + this.#pause;
  }
}
