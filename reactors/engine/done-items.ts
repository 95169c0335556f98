import type { ListItem } from './lists.ts';

const PAGE = 500;

interface DoneItem<Item> {
  item: Item;
  /** log position of the outcome */
  stored: number;
}

/** Items that were done, but that the list might still show. */
export class DoneItems<Item extends ListItem> {
  readonly #done = new Map<string, DoneItem<Item>>();
  /** number of times that an item was done and stayed on the list, by id */
  readonly #stuck = new Map<string, number>();

  /** @param stored the log position of the outcome; 0 if the next read of the list shows it */
  add(item: Item, stored = 0): void {
    this.#done.set(item.id, { item, stored });
  }

  /** Returns the state in which an item was most recently done. */
  get(id: string): Item | undefined {
    return this.#done.get(id)?.item;
  }

  /** Returns whether an item is done in exactly this state. */
  has({ id, changed_position }: Item): boolean {
    return this.get(id)?.changed_position === changed_position;
  }

  /** Highest position of an outcome that the list might not show yet; 0 if it shows all outcomes. */
  get lastStored(): number {
    let last = 0;
    for (const { stored } of this.#done.values()) if (stored > last) last = stored;
    return last;
  }

  clear(): void {
    this.#done.clear();
    this.#stuck.clear();
  }

  /**
   * Compares done items with the list, and forgets them. Calls `failed` for each item that is still on the list in the
   * same state. Skips items whose outcome the list might not show yet.
   *
   * @param folded the position up to which the list shows outcomes
   */
  async settle(
    find: (ids: readonly string[]) => Promise<readonly Item[]>,
    failed: (item: Item, error: Error, tries: number) => Promise<void>,
    folded = Infinity,
  ): Promise<void> {
    const former = [...this.#done.values()].filter(({ stored }) => stored <= folded);
    for (let from = 0; from < former.length; from += PAGE) {
      const page = former.slice(from, from + PAGE);
      const found = new Map((await find(page.map(({ item }) => item.id))).map((item) => [item.id, item]));
      for (const one of page) {
        const { id, changed_position } = one.item;
        if (this.#done.get(id) === one) this.#done.delete(id);
        if (found.get(id)?.changed_position !== changed_position) {
          this.#stuck.delete(id);
          continue;
        }
        const tries = (this.#stuck.get(id) ?? 0) + 1;
        this.#stuck.set(id, tries);
        await failed(one.item, new Error('It was done but is still on the list.'), tries);
      }
    }
  }
}
