/**
 * The progress of a list whose items are started in order and run concurrently: everything before the first item that
 * is not done.
 */
export class OrderedProgress<Mark> {
  /** everything up to here was started */
  at: Mark;
  readonly #unsettled = new Map<symbol, Mark>();

  constructor(at: Mark) {
    this.at = at;
  }

  /**
   * @param before the position after which the list must be read to find the item
   * @returns call it when the item is done, or stored elsewhere
   */
  begin(before: Mark): () => void {
    const item = Symbol();
    this.#unsettled.set(item, before);
    return () => {
      this.#unsettled.delete(item);
    };
  }

  /** Everything up to here is done, or stored elsewhere. */
  get done(): Mark {
    const [first] = this.#unsettled.values();
    return first === undefined ? this.at : first;
  }

  get isSettled(): boolean {
    return this.#unsettled.size === 0;
  }
}
