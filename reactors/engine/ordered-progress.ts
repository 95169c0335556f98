/**
 * Tracks progress through a list whose items are started in order but end in any order. `done` is the mark before the
 * first item that has not ended. A mark is a position or a place in due order.
 */
export class OrderedProgress<Mark> {
  /** all items up to here were started */
  at: Mark;
  readonly #unsettled = new Map<symbol, Mark>();

  constructor(at: Mark) {
    this.at = at;
  }

  /**
   * Records the start of an item.
   *
   * @param before the mark after which the list must be read to find the item
   * @returns a function to be called when the item is done, or stored elsewhere
   */
  begin(before: Mark): () => void {
    const item = Symbol();
    this.#unsettled.set(item, before);
    return () => {
      this.#unsettled.delete(item);
    };
  }

  /** All items up to here are done, or stored elsewhere. */
  get done(): Mark {
    const [first] = this.#unsettled.values();
    return first === undefined ? this.at : first;
  }

  /** Whether all started items are done, or stored elsewhere. */
  get isSettled(): boolean {
    return this.#unsettled.size === 0;
  }
}
