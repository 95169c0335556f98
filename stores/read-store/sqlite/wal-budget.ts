/** Limits the total size of the WALs of several databases, in bytes. */
export class WalBudget {
  readonly #most: number;
  readonly #sizes = new Map<string, number>();
  #total = 0;

  /** @param most bytes */
  constructor(most: number) {
    this.#most = most;
  }

  /** Records the size of a WAL, in bytes. */
  record(name: string, bytes: number): void {
    this.#total += bytes - (this.#sizes.get(name) ?? 0);
    if (bytes > 0) this.#sizes.set(name, bytes);
    else this.#sizes.delete(name);
  }

  /**
   * Returns the databases by the size of their WALs, largest first; none if the total is within the limit. The caller
   * should empty the first of these WALs, or the next one if that fails.
   */
  excess(): string[] {
    if (this.#total <= this.#most) return [];
    return [...this.#sizes].sort(([, one], [, other]) => other - one).map(([name]) => name);
  }
}
