/** How far a list is done that is worked off in its order, several items at once: up to before the first that is not. */
export class Progress<Mark> {
  /** everything up to here was begun */
  at: Mark;
  readonly #unsettled = new Map<symbol, Mark>();

  constructor(at: Mark) {
    this.at = at;
  }

  /**
   * @param before where the list is to be read from so that the item is met
   * @returns tells that the item is done, or kept elsewhere
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
