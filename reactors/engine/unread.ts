/** Tracks whether a list must be read, because it was never read or was written since the previous read. */
export class UnreadTracker {
  #writes = 1;
  #read = 0;
  #changes = 1;
  #known = 0;

  /**
   * Records a write.
   *
   * @param everything whether any document might have changed, so that a read of only the newest changes is not enough
   */
  written(everything: boolean): void {
    this.#writes += 1;
    if (everything) this.#changes += 1;
  }

  /** Marks everything as unread. */
  reset(): void {
    this.written(true);
  }

  /** Whether the list was written since the previous read started. */
  get isUnread(): boolean {
    return this.#read < this.#writes;
  }

  /**
   * Whether documents with old positions might have changed, so that a read from the previous position would miss them.
   */
  get isUnknown(): boolean {
    return this.#known < this.#changes;
  }

  /**
   * Starts a read. @returns a function to be called when the read has succeeded. It marks writes from before the start
   * as read; later writes remain unread
   */
  startRead(): () => void {
    const [writes, changes] = [this.#writes, this.#changes];
    return () => {
      this.#read = writes;
      this.#known = changes;
    };
  }
}
