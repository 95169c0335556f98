/** Minimum page cache of a database in KiB: about the size of the inner pages of its B-trees. */
const LEAST = 256;

/** Divides a thread's page cache among the databases that it has open, in proportion to their use. */
export class CacheShares {
  readonly #total: number;
  /** number of uses, weighted so that recent uses count more than earlier ones */
  readonly #uses = new Map<string, number>();
  readonly #given = new Map<string, number>();

  /** @param total KiB */
  constructor(total: number) {
    this.#total = total;
  }

  use(name: string): void {
    this.#uses.set(name, (this.#uses.get(name) ?? 0) + 1);
  }

  close(name: string): void {
    this.#uses.delete(name);
    this.#given.delete(name);
  }

  /**
   * Returns the new size in KiB of each cache whose size changes, by name. The sum of the sizes of all caches is at
   * most the total, unless the minimum sizes exceed the total.
   */
  divide(): Map<string, number> {
    const sum = [...this.#uses.values()].reduce((all, uses) => all + uses, 0);
    const spare = Math.max(0, this.#total - LEAST * this.#uses.size);
    const changed = new Map<string, number>();
    for (const [name, uses] of this.#uses) {
      const share = LEAST + Math.floor(sum === 0 ? 0 : (spare * uses) / sum);
      this.#uses.set(name, uses / 2);
      if (this.#given.get(name) === share) continue;
      this.#given.set(name, share);
      changed.set(name, share);
    }
    return changed;
  }
}
