/** Whether a list must be read: it was written since the last read, or never read. */
export class UnreadTracker {
  #writes = 1;
  #read = 0;
  #changes = 1;
  #known = 0;

  /** @param everything any of its documents may have changed, whatever their positions */
  written(everything: boolean): void {
    this.#writes += 1;
    if (everything) this.#changes += 1;
  }

  /** Marks everything as unread. */
  reset(): void {
    this.written(true);
  }

  get isUnread(): boolean {
    return this.#read < this.#writes;
  }

  /** Whether documents may have changed that a read by position does not find. */
  get isUnknown(): boolean {
    return this.#known < this.#changes;
  }

  /** Starts a read. @returns call it when everything written before the start was read; later writes stay unread */
  startRead(): () => void {
    const [writes, changes] = [this.#writes, this.#changes];
    return () => {
      this.#read = writes;
      this.#known = changes;
    };
  }
}
