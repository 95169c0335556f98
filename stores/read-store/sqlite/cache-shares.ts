/** Minimum per database in KiB: about the inner pages of its trees. */
const LEAST = 256;

/** Divides a page cache among the databases that a thread has open, by how much each is used. */
export class CacheShares {
  readonly #total: number;
  /** uses, weighted by recency */
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

  /** The shares that change now, in KiB by name. Their sum is at most the total, or the minimum for each. */
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
