/** Maximum burst, as a fraction of the number of messages per second. */
const BURST = 0.1;

/** Limits how many messages start per second. Measures elapsed time, so a change of the clock has no effect. */
export class MessageRate {
  readonly #pause: number;
  readonly #elapsed: () => number;
  /** when the next message would start if messages started at even intervals; milliseconds of `elapsed` */
  #next = 0;

  /** @param elapsed milliseconds since an arbitrary time; monotonic */
  constructor(perSecond: number, elapsed: () => number = () => performance.now()) {
    this.#pause = 1_000 / perSecond;
    this.#elapsed = elapsed;
  }

  /** Milliseconds until another message may start; 0 if one may start now. */
  get wait(): number {
    return Math.max(0, this.#next - this.#elapsed() - Math.max(this.#pause, 1_000 * BURST) + this.#pause);
  }

  begin(): void {
    this.#next = Math.max(this.#next, this.#elapsed()) + this.#pause;
  }
}
