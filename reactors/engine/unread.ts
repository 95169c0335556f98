/** Whether a list has to be read: it was written since it was last read, or was never read. */
export class Unread {
  #writes = 1;
  #read = 0;
  #changes = 1;
  #known = 0;

  /** @param everything any of its documents may have changed, whatever their positions say */
  written(everything: boolean): void {
    this.#writes += 1;
    if (everything) this.#changes += 1;
  }

  /** Everything has to be read. */
  reset(): void {
    this.written(true);
  }

  get isUnread(): boolean {
    return this.#read < this.#writes;
  }

  /** Whether documents may have changed that reading by position does not find. */
  get isUnknown(): boolean {
    return this.#known < this.#changes;
  }

  /** Begins to read. @returns reports that all was read that was written before; what is written meanwhile is not */
  reading(): () => void {
    const [writes, changes] = [this.#writes, this.#changes];
    return () => {
      this.#read = writes;
      this.#known = changes;
    };
  }
}
