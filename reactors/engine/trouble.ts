import type { ReactorLog } from './work.ts';

/** So many given-up items a minute have a line each; of further ones the hundredth, the thousandth and so on. */
const LINES_A_MINUTE = 10;
const MINUTE = 60_000;

/** Items that fail in one way. */
interface Trouble {
  /** milliseconds since 1970 */
  began: number;
  /** items that failed so, and are not settled */
  failing: Set<string>;
  items: number;
  tries: number;
  given_up: number;
}

/**
 * Logs why a reactor's items fail: a line when trouble of one kind begins, one when none of its items is tried again,
 * and one for an item that is given up, unless many are. Each item's own reason is kept with it.
 */
export class ReactorTrouble {
  readonly #reactor: string;
  readonly #log: ReactorLog;
  readonly #kinds = new Map<string, Trouble>();
  /** items given up since a time, for a minute at most; `since`: milliseconds since 1970 */
  #givenUp = { since: -Infinity, items: 0 };

  constructor(reactor: string, log: ReactorLog) {
    this.#reactor = reactor;
    this.#log = log;
  }

  /** An item failed, and is tried again. @param kind such as the name of the error */
  failed(kind: string, item: string, reason: string, now: number): void {
    this.#leave(item, kind, now);
    const known = this.#kinds.get(kind);
    const trouble = known ?? { began: now, failing: new Set<string>(), items: 0, tries: 0, given_up: 0 };
    if (!known) {
      this.#kinds.set(kind, trouble);
      const what = `The reactor ${this.#reactor} failed on an item. It is tried again; others that fail so are counted.`;
      this.#log('error', what, { item, error: reason });
    }
    if (!trouble.failing.has(item)) trouble.items += 1;
    trouble.failing.add(item);
    trouble.tries += 1;
  }

  /** An item is done, or has changed. */
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
    if (now < since || now >= since + MINUTE) this.#givenUp = { since: now, items: 0 };
    const items = ++this.#givenUp.items;
    if (items <= LINES_A_MINUTE) {
      this.#log('error', `The reactor ${this.#reactor} gave up on an item: uptrail reactors.`, fields);
    } else if (/^10*$/.test(items.toString())) {
      const what = `The reactor ${this.#reactor} gave up on ${items.toString()} items within a minute: uptrail reactors.`;
      this.#log('error', what, fields);
    }
  }

  /** @param but the kind of its present failure */
  #leave(item: string, but: string | null, now: number): void {
    for (const [kind, trouble] of this.#kinds) {
      if (kind === but || !trouble.failing.delete(item) || trouble.failing.size > 0) continue;
      this.#kinds.delete(kind);
      // A single failure has said all there is.
      if (trouble.tries === 1) continue;
      const { began, items, tries, given_up } = trouble;
      const fields = { error: kind, items, tries, given_up, seconds: Math.max(0, Math.round((now - began) / 1_000)) };
      this.#log('info', `What the reactor ${this.#reactor} failed on is over.`, fields);
    }
  }
}
