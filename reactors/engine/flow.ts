import type { ReactorLog } from './loop.ts';
import { isUnavailable } from './unavailable.ts';

/** An item that could not be done yet, and when it is tried again. */
export interface Attempt<Item> {
  item: Item;
  /** how often it failed */
  tries: number;
  /** milliseconds since 1970 */
  again: number;
  /** when that was said; a clock that shows less was set back, and nothing is waited for any more */
  said: number;
}

const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 300_000;
const LONGEST_PAUSE_FOR_STORES = 4_000;

const pauseAfter = (tries: number): number => Math.min(FIRST_PAUSE * 2 ** (tries - 1), LONGEST_PAUSE);

const isWaiting = ({ again, said }: Attempt<unknown>, now: number): boolean => said <= now && now < again;

/** Items that could not be done yet: tried again with growing pauses, while the others go on. */
export class Attempts<Item extends { id: string }> {
  readonly #failed = new Map<string, Attempt<Item>>();

  /**
   * @param now milliseconds since 1970
   * @param error where a store is at fault, not the item, it is tried again soon
   */
  failed(item: Item, now: number, error: unknown): Attempt<Item> {
    const tries = (this.#failed.get(item.id)?.tries ?? 0) + 1;
    const longest = isUnavailable(error) ? LONGEST_PAUSE_FOR_STORES : LONGEST_PAUSE;
    const attempt = { item, tries, again: now + Math.min(pauseAfter(tries), longest), said: now };
    this.#failed.set(item.id, attempt);
    return attempt;
  }

  /** It is not yet time for it, which is no failure. */
  postponed(item: Item, again: number, now: number): void {
    this.#failed.set(item.id, { item, tries: this.#failed.get(item.id)?.tries ?? 0, again, said: now });
  }

  /** It is done, or something newer has taken its place. */
  settled(id: string): void {
    this.#failed.delete(id);
  }

  due(now: number): Item[] {
    return this.all.filter((attempt) => !isWaiting(attempt, now)).map(({ item }) => item);
  }

  /** Ids of those that are not to be tried yet. */
  waiting(now: number): string[] {
    return this.all.filter((attempt) => isWaiting(attempt, now)).map(({ item }) => item.id);
  }

  get all(): Attempt<Item>[] {
    return [...this.#failed.values()];
  }

  /** When the next one is due; null when there is none. */
  get next(): number | null {
    return this.all.reduce<number | null>((next, { again }) => Math.min(next ?? again, again), null);
  }
}

/** Tells of an item that could not be done: of its own failure at every try, of a store's once while it lasts. */
export const tellFailed = (
  log: ReactorLog,
  reactor: string,
  { item, tries }: Attempt<{ id: string }>,
  error: unknown,
): void => {
  const fields = { item: item.id, tries, error: String(error) };
  log('error', `The reactor ${reactor} failed on an item.`, fields, isUnavailable(error) ? error : undefined);
};
