/** Keeps the WALs of several databases together within a number of bytes. */
export class WalBudget {
  readonly #most: number;
  readonly #sizes = new Map<string, number>();
  #total = 0;

  /** @param most bytes */
  constructor(most: number) {
    this.#most = most;
  }

  /** Notes the size of a WAL, in bytes. */
  note(name: string, bytes: number): void {
    this.#total += bytes - (this.#sizes.get(name) ?? 0);
    if (bytes > 0) this.#sizes.set(name, bytes);
    else this.#sizes.delete(name);
  }

  /** Databases whose WALs should be emptied until one is, the largest first; none while all are small enough. */
  excess(): string[] {
    if (this.#total <= this.#most) return [];
    return [...this.#sizes].sort(([, one], [, other]) => other - one).map(([name]) => name);
  }
}
