import type { ListItem } from './lists.ts';

const PAGE = 500;

interface DoneItem<Item> {
  item: Item;
  /** log position of the outcome */
  stored: number;
}

/** Items that are done but may still be on the list. */
export class DoneItems<Item extends ListItem> {
  readonly #done = new Map<string, DoneItem<Item>>();
  /** how often an item was done and stayed on the list */
  readonly #stuck = new Map<string, number>();

  /** @param stored log position of the outcome; 0: the list shows it immediately */
  add(item: Item, stored = 0): void {
    this.#done.set(item.id, { item, stored });
  }

  /** The state in which an item was last done. */
  get(id: string): Item | undefined {
    return this.#done.get(id)?.item;
  }

  /** Whether this state of an item is done. An earlier state may have been done before. */
  has({ id, changed_position }: Item): boolean {
    return this.get(id)?.changed_position === changed_position;
  }

  /** The highest position of an outcome that the list may not show yet; 0: it shows all of them. */
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
   * Forgets done items that the list no longer shows. An item that is still on the list has failed.
   *
   * @param folded position up to which the list shows outcomes
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
