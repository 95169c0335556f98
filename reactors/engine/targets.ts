import { backoffAfter } from './item-result.ts';

/** Limits per target of items. A target is, for example, a host or an organization that many items share. */
export interface TargetLimits<Item> {
  /** Returns the target of an item. Null if the item shares its target with no other item. */
  of: (item: Item) => string | null;
  /** maximum number of concurrent items of one target */
  atOnce: number;
}

interface Target<Ref> {
  underWay: number;
  /** consecutive failures */
  failures: number;
  /** end of the pause after a failure, milliseconds since 1970; 0 without a pause */
  until: number;
  /** waiting items by id, in the order in which they began to wait */
  waiting: Map<string, Ref>;
}

/** How long the failures of a target without items are remembered after the end of its pause, milliseconds. */
const FORGOTTEN_MS = 3_600_000;

/**
 * Prevents the items of one target from blocking all other items. Limits the concurrency of each target, and pauses a
 * failing target with exponential backoff. After a pause, a single item tests whether the target works again.
 */
export class Targets<Ref extends { id: string }> {
  readonly #atOnce: number;
  readonly #targets = new Map<string, Target<Ref>>();
  /** the target that each waiting item waits for, by id of the item */
  readonly #waits = new Map<string, string>();

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** Takes a slot of a target for an item. @returns false if none is free */
  acquire(name: string, id: string, now: number): boolean {
    const target = this.#of(name);
    if (!this.#takesMore(target, now)) return false;
    target.underWay += 1;
    this.drop(id);
    return true;
  }

  /** Frees a slot of a target. @param failed whether the target has failed, which starts a pause */
  release(name: string, failed: boolean, now: number): void {
    const target = this.#of(name);
    target.underWay -= 1;
    target.failures = failed ? target.failures + 1 : 0;
    target.until = failed ? now + backoffAfter(target.failures) : 0;
    this.#forgetIdle(name, target);
  }

  /** Lets an item wait for a slot of a target. */
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

  /** Returns the waiting items that may start now. They remain waiting items until they `acquire` a slot. */
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

  /**
   * Among the targets with waiting items, returns when the first pause ends, in milliseconds since 1970. Null if none
   * of them pauses.
   */
  next(now: number): number | null {
    let next: number | null = null;
    for (const { waiting, until } of this.#targets.values()) {
      if (waiting.size > 0 && until > now) next = Math.min(next ?? until, until);
    }
    return next;
  }

  /** Ends all pauses. Call it when the clock was set back, because the pauses would last too long. */
  endPauses(): void {
    for (const target of this.#targets.values()) target.until = 0;
  }

  #takesMore(target: Target<Ref>, now: number): boolean {
    return now >= target.until && target.underWay < this.#limitOf(target);
  }

  /** Returns the limit of a target. After a failure it is 1, until an item succeeds. */
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
