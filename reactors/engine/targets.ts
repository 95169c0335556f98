import { pauseAfter } from './ending.ts';

/** Limits by the target of items, such as a host that messages are sent to. */
export interface TargetLimits<Item> {
  /** the target of an item; null: none that is shared with others */
  of: (item: Item) => string | null;
  /** how many items of one target are under way at once */
  atOnce: number;
}

interface Target<Ref> {
  underWay: number;
  /** in a row */
  failures: number;
  /** milliseconds since 1970; 0: it has no pause */
  until: number;
  /** items that wait for their turn, in their order */
  waiting: Map<string, Ref>;
}

/** How long the failures of a target without items are remembered. */
const FORGOTTEN_MS = 3_600_000;

/**
 * Keeps items of one target from blocking all others: a limited number are under way at once, and a target that fails
 * gets a pause, which grows. After the pause a single item shows whether the target works again.
 */
export class Targets<Ref extends { id: string }> {
  readonly #atOnce: number;
  readonly #targets = new Map<string, Target<Ref>>();
  /** the targets of items that wait */
  readonly #waits = new Map<string, string>();

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** Takes a place for an item, if there is one now. */
  enter(name: string, id: string, now: number): boolean {
    const target = this.#of(name);
    if (!this.#takesMore(target, now)) return false;
    target.underWay += 1;
    this.drop(id);
    return true;
  }

  /** Gives the place back. */
  leave(name: string, failed: boolean, now: number): void {
    const target = this.#of(name);
    target.underWay -= 1;
    target.failures = failed ? target.failures + 1 : 0;
    target.until = failed ? now + pauseAfter(target.failures) : 0;
    this.#forgetIdle(name, target);
  }

  /** Lets an item wait for its turn. */
  wait(name: string, ref: Ref): void {
    this.#of(name).waiting.set(ref.id, ref);
    this.#waits.set(ref.id, name);
  }

  /** An item no longer waits. */
  drop(id: string): void {
    const name = this.#waits.get(id);
    if (name === undefined || !this.#waits.delete(id)) return;
    this.#targets.get(name)?.waiting.delete(id);
  }

  /** Items that wait and may have their turn now; they wait until they `enter`. */
  ready(now: number): Ref[] {
    const refs: Ref[] = [];
    for (const [name, target] of this.#targets) {
      const room = this.#takesMore(target, now) ? this.#limitOf(target) - target.underWay : 0;
      refs.push(...take(target.waiting.values(), room));
      if (target.waiting.size === 0 && now >= target.until + FORGOTTEN_MS) target.failures = 0;
      this.#forgetIdle(name, target);
    }
    return refs;
  }

  /** When the next pause of a target with waiting items is over; null where there is none. */
  next(now: number): number | null {
    let next: number | null = null;
    for (const { waiting, until } of this.#targets.values()) {
      if (waiting.size > 0 && until > now) next = Math.min(next ?? until, until);
    }
    return next;
  }

  /** Pauses would last too long: the clock was set back. */
  endPauses(): void {
    for (const target of this.#targets.values()) target.until = 0;
  }

  #takesMore(target: Target<Ref>, now: number): boolean {
    return now >= target.until && target.underWay < this.#limitOf(target);
  }

  /** A target that failed last must first show that it works again. */
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
