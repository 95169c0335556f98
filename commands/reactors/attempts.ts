/** An item that could not be done yet, and when it is tried again. */
export interface Attempt<Item> {
  item: Item;
  /** how often it failed */
  tries: number;
  /** milliseconds since 1970 */
  again: number;
}

const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 300_000;

/** Items that could not be done yet: tried again with growing pauses, while the others go on. */
export class Attempts<Item extends { id: string }> {
  readonly #failed = new Map<string, Attempt<Item>>();

  /** @param now milliseconds since 1970 */
  failed(item: Item, now: number): Attempt<Item> {
    const tries = (this.#failed.get(item.id)?.tries ?? 0) + 1;
    const attempt = { item, tries, again: now + Math.min(FIRST_PAUSE * 2 ** (tries - 1), LONGEST_PAUSE) };
    this.#failed.set(item.id, attempt);
    return attempt;
  }

  /** It is not yet time for it, which is no failure. */
  postponed(item: Item, again: number): void {
    this.#failed.set(item.id, { item, tries: this.#failed.get(item.id)?.tries ?? 0, again });
  }

  /** It is done, or something newer has taken its place. */
  settled(id: string): void {
    this.#failed.delete(id);
  }

  due(now: number): Item[] {
    return this.all.filter(({ again }) => again <= now).map(({ item }) => item);
  }

  /** Ids of those that are not to be tried yet. */
  waiting(now: number): string[] {
    return this.all.filter(({ again }) => again > now).map(({ item }) => item.id);
  }

  get all(): Attempt<Item>[] {
    return [...this.#failed.values()];
  }

  /** When the next one is due; null when there is none. */
  get next(): number | null {
    return this.all.reduce<number | null>((next, { again }) => Math.min(next ?? again, again), null);
  }
}
