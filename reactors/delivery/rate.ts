/** How much of a second may come at once. */
const BURST = 0.1;

/** Limits how many begin a second. It goes by the time that has passed, whatever the clock shows. */
export class Rate {
  readonly #pause: number;
  readonly #elapsed: () => number;
  /** when the next one would begin if they came evenly, milliseconds */
  #next = 0;

  /** @param elapsed milliseconds since any moment; goes only forward */
  constructor(perSecond: number, elapsed: () => number = () => performance.now()) {
    this.#pause = 1_000 / perSecond;
    this.#elapsed = elapsed;
  }

  /** How long until one may begin, milliseconds; 0: now. */
  get wait(): number {
    return Math.max(0, this.#next - this.#elapsed() - Math.max(this.#pause, 1_000 * BURST) + this.#pause);
  }

  begin(): void {
    this.#next = Math.max(this.#next, this.#elapsed()) + this.#pause;
  }
}
