import type { ReactorLog } from './work.ts';
import { MINUTE_MS } from '../../domain/time.ts';

/**
 * Maximum number of permanent failures per minute that are logged individually. After that, only the hundredth, the
 * thousandth and so on are logged.
 */
const LINES_A_MINUTE = 10;

/** The failures of one kind. All of them have, for example, the same error name. */
interface Trouble {
  /** time of the first failure, milliseconds since 1970 */
  began: number;
  /** ids of items that failed in this way and are neither done, changed nor failed permanently */
  failing: Set<string>;
  items: number;
  tries: number;
  given_up: number;
}

/**
 * Logs the failures of a reactor's items: one line at the first failure of a kind, one line when no item with this kind
 * of failure is being retried any more, and one line per item that failed permanently, unless there are many. The
 * reason of each failure is also stored with the item.
 */
export class FailureLog {
  readonly #reactor: string;
  readonly #log: ReactorLog;
  readonly #kinds = new Map<string, Trouble>();
  /** number of permanent failures in the minute that begins at `since`, milliseconds since 1970 */
  #givenUp = { since: -Infinity, items: 0 };

  constructor(reactor: string, log: ReactorLog) {
    this.#reactor = reactor;
    this.#log = log;
  }

  /** Records the failure of an item that will be retried. @param kind for example the name of the error */
  failed(kind: string, item: string, reason: string, now: number): void {
    this.#leave(item, kind, now);
    const known = this.#kinds.get(kind);
    const trouble = known ?? { began: now, failing: new Set<string>(), items: 0, tries: 0, given_up: 0 };
    if (!known) {
      this.#kinds.set(kind, trouble);
      const what = `The reactor ${this.#reactor} failed on an item, which will be retried. Further failures of this kind are counted.`;
      this.#log('error', what, { item, error: reason });
    }
    if (!trouble.failing.has(item)) trouble.items += 1;
    trouble.failing.add(item);
    trouble.tries += 1;
  }

  /** Records that an item is done or has changed. */
  settled(item: string, now: number): void {
    this.#leave(item, null, now);
  }

  givenUp(item: string, tries: number, reason: string, now: number): void {
    this.#tellGivenUp({ item, tries, error: reason }, now);
    for (const trouble of this.#kinds.values()) if (trouble.failing.has(item)) trouble.given_up += 1;
    this.#leave(item, null, now);
  }

  #tellGivenUp(fields: { item: string; tries: number; error: string }, now: number): void {
    const { since } = this.#givenUp;
    if (now < since || now >= since + MINUTE_MS) this.#givenUp = { since: now, items: 0 };
    const items = ++this.#givenUp.items;
    if (items <= LINES_A_MINUTE) {
      this.#log('error', `The reactor ${this.#reactor} gave up on an item. Run \`uptrail reactors\`.`, fields);
    } else if (/^10*$/.test(items.toString())) {
      const what = `The reactor ${this.#reactor} gave up on ${items} items within a minute. Run \`uptrail reactors\`.`;
      this.#log('error', what, fields);
    }
  }

  /**
   * Removes an item from the failures of all kinds except `but`. If no item of a kind is left, logs a summary of that
   * kind.
   *
   * @param but the kind of the item's present failure; null if the item no longer fails
   */
  #leave(item: string, but: string | null, now: number): void {
    for (const [kind, trouble] of this.#kinds) {
      if (kind === but || !trouble.failing.delete(item) || trouble.failing.size > 0) continue;
      this.#kinds.delete(kind);
      // A single failure needs no summary.
      if (trouble.tries === 1) continue;
      const { began, items, tries, given_up } = trouble;
      const fields = { error: kind, items, tries, given_up, seconds: Math.max(0, Math.round((now - began) / 1_000)) };
      this.#log('info', `The failures of the reactor ${this.#reactor} are over.`, fields);
    }
  }
}
