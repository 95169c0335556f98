/** The progress of a list that is worked off in order, several items at once: up to the first item not done. */
export class Progress<Mark> {
  /** everything up to here was begun */
  at: Mark;
  readonly #unsettled = new Map<symbol, Mark>();

  constructor(at: Mark) {
    this.at = at;
  }

  /**
   * @param before the place to read the list from to meet the item
   * @returns reports that the item is done, or kept elsewhere
   */
  begin(before: Mark): () => void {
    const item = Symbol();
    this.#unsettled.set(item, before);
    return () => {
      this.#unsettled.delete(item);
    };
  }

  /** Everything up to here is done, or kept elsewhere. */
  get done(): Mark {
    const [first] = this.#unsettled.values();
    return first === undefined ? this.at : first;
  }

  get isSettled(): boolean {
    return this.#unsettled.size === 0;
  }
}
