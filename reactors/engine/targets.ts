import { backoffAfter } from './item-result.ts';

/** Limits by the target of items, for example a host that messages are sent to. */
export interface TargetLimits<Item> {
  /** the target of an item; null: none that it shares with others */
  of: (item: Item) => string | null;
  /** concurrent items of one target */
  atOnce: number;
}

interface Target<Ref> {
  underWay: number;
  /** consecutive failures */
  failures: number;
  /** milliseconds since 1970; 0: no pause */
  until: number;
  /** waiting items, in order */
  waiting: Map<string, Ref>;
}

/** How long the failures of a target without items are remembered. */
const FORGOTTEN_MS = 3_600_000;

/**
 * Prevents items of one target from blocking all others: limits their concurrency, and pauses a failing target with
 * exponential backoff. After the pause, a single item tests whether the target works again.
 */
export class Targets<Ref extends { id: string }> {
  readonly #atOnce: number;
  readonly #targets = new Map<string, Target<Ref>>();
  /** the targets of waiting items */
  readonly #waits = new Map<string, string>();

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** Takes a slot for an item, if one is free. */
  acquire(name: string, id: string, now: number): boolean {
    const target = this.#of(name);
    if (!this.#takesMore(target, now)) return false;
    target.underWay += 1;
    this.drop(id);
    return true;
  }

  /** Frees the slot. */
  release(name: string, failed: boolean, now: number): void {
    const target = this.#of(name);
    target.underWay -= 1;
    target.failures = failed ? target.failures + 1 : 0;
    target.until = failed ? now + backoffAfter(target.failures) : 0;
    this.#forgetIdle(name, target);
  }

  /** Lets an item wait for a slot. */
  wait(name: string, ref: Ref): void {
    this.#of(name).waiting.set(ref.id, ref);
    this.#waits.set(ref.id, name);
  }

  /** Removes a waiting item. */
  drop(id: string): void {
    const name = this.#waits.get(id);
    if (name === undefined || !this.#waits.delete(id)) return;
    this.#targets.get(name)?.waiting.delete(id);
  }

  /** Waiting items that may start now; they keep waiting until they `enter`. */
  readyItems(now: number): Ref[] {
    const refs: Ref[] = [];
    for (const [name, target] of this.#targets) {
      const room = this.#takesMore(target, now) ? this.#limitOf(target) - target.underWay : 0;
      refs.push(...take(target.waiting.values(), room));
      if (target.waiting.size === 0 && now >= target.until + FORGOTTEN_MS) target.failures = 0;
      this.#forgetIdle(name, target);
    }
    return refs;
  }

  /** End of the next pause of a target with waiting items; null: there is none. */
  next(now: number): number | null {
    let next: number | null = null;
    for (const { waiting, until } of this.#targets.values()) {
      if (waiting.size > 0 && until > now) next = Math.min(next ?? until, until);
    }
    return next;
  }

  /** Ends all pauses, which would last too long after the clock was set back. */
  endPauses(): void {
    for (const target of this.#targets.values()) target.until = 0;
  }

  #takesMore(target: Target<Ref>, now: number): boolean {
    return now >= target.until && target.underWay < this.#limitOf(target);
  }

  /** A target that failed last must first succeed with a single item. */
  #limitOf({ failures }: Target<Ref>): number {
    return failures > 0 ? 1 : this.#atOnce;
  }

  #of(name: string): Target<Ref> {
    const target = this.#targets.get(name) ?? { underWay: 0, failures: 0, until: 0, waiting: new Map<string, Ref>() };
    this.#targets.set(name, target);
    return target;
  }

  #forgetIdle(name: string, { underWay, failures, waiting }: Target<Ref>): void {
    if (underWay === 0 && failures === 0 && waiting.size === 0) this.#targets.delete(name);
  }
}

function* take<T>(values: Iterable<T>, limit: number): Iterable<T> {
  let left = limit;
  for (const value of values) {
    if (left-- <= 0) return;
    yield value;
  }
}
