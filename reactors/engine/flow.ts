import type { ListItem } from './lists.ts';
import type { FailedItem } from '../../stores/coordination/port.ts';
import { instantOf } from '../../domain/time.ts';
import { retryItemAt, resultOfError, backoffAfter, type ItemResult } from './item-result.ts';
import { Targets, type TargetLimits } from './targets.ts';
import { FailureLog } from './failure-log.ts';
import { isReadModelLate, isStoreUnavailable } from './store-errors.ts';
import type { ItemContext, LeaseContext } from './work.ts';

export interface FlowOptions<Item> {
  /** maximum number of concurrent items */
  atOnce: number;
  targets?: TargetLimits<Item>;
  /**
   * Whether every postponed item is stored, even if it has not failed, but was too early or waits for its target.
   * Needed if the checkpoint advances past such items, because the list before the checkpoint is not read again. If
   * false, only failed items are stored, and the others are found on the list again.
   */
  keepsAll: boolean;
  /**
   * Returns whether a failed item is retried although it has changed. Default: false, because the list contains the
   * changed item.
   */
  staysDue?: (item: Item) => boolean;
  /** called after the outcome of an item was recorded */
  ended?: (item: Item) => void;
}

/** Identifies an item and its state, without its data. */
interface ItemState {
  id: string;
  position: number;
}

interface RetryEntry {
  item: FailedItem;
  /** called when the item is done or stored, so that the checkpoint may pass it */
  settled: () => void;
}

/**
 * An item that fails because a store is unavailable is stored only after this many attempts. Few outages last so long.
 */
const TRIES_BEFORE_STORING = 10;
const LONGEST_REASON = 500;
/** Shortest pause before a retry, even if the item requests a shorter one. */
const SHORTEST_PAUSE_MS = 100;
const PAGE = 500;
const NOT_YET = 'It is not yet due.';

/** Finds items of the list in their present state. */
type Find<Item> = (ids: readonly string[]) => Promise<readonly Item[]>;

const refOf = ({ id, changed_position }: ListItem): ItemState => ({ id, position: changed_position });
const nothing = (): void => undefined;

/**
 * Handles items of a list concurrently. When an item ends, the next one starts, without waiting for slower items. The
 * same item is never under way twice at the same time. Failed items are stored until a retry, automatic or requested by
 * an operator, succeeds.
 */
export class ItemFlow<Item extends ListItem> {
  readonly #name: string;
  readonly #act: (item: Item, context: ItemContext) => Promise<ItemResult>;
  readonly #options: FlowOptions<Item>;
  readonly #underWay = new Map<string, { position: number; task: Promise<void> }>();
  #lease: LeaseContext | null = null;
  #retrying = new Map<string, RetryEntry>();
  /** items that were attempted before and now wait for their target, by id */
  #waiting = new Map<string, FailedItem>();
  /** positions of items that failed permanently, by id */
  #givenUp = new Map<string, number>();
  /** positions of items that are in the store of failed items, by id */
  #stored = new Map<string, number>();
  #targets: Targets<ItemState>;
  #trouble: FailureLog | null = null;
  /** the pause that began because a store did not respond, milliseconds since 1970; null without a pause */
  #pause: { from: number; until: number } | null = null;
  #freed: () => void = nothing;
  /** clock time of the previous round, milliseconds since 1970; 0 before the first round */
  #seen = 0;

  constructor(
    name: string,
    act: (item: Item, context: ItemContext) => Promise<ItemResult>,
    options: FlowOptions<Item>,
  ) {
    this.#name = name;
    this.#act = act;
    this.#options = options;
    this.#targets = new Targets(options.targets?.atOnce ?? 1);
  }

  /** Starts a lease, and reads the stored failed items. Requires that nothing is under way. */
  async begin(lease: LeaseContext): Promise<void> {
    this.#lease = lease;
    this.#retrying = new Map();
    this.#waiting = new Map();
    this.#givenUp = new Map();
    this.#stored = new Map();
    this.#targets = new Targets(this.#options.targets?.atOnce ?? 1);
    this.#trouble = new FailureLog(this.#name, lease.log);
    this.#pause = null;
    for await (const page of lease.failed.pages()) {
      for (const item of page) {
        this.#stored.set(item.id, item.position);
        if (item.state === 'given_up') this.#givenUp.set(item.id, item.position);
        else this.#retrying.set(item.id, { item, settled: nothing });
      }
    }
  }

  /**
   * Returns when the current pause ends, in milliseconds since 1970. A pause begins when a store does not respond. Null
   * without a pause.
   */
  pausedUntil(now: number): number | null {
    if (this.#pause && now >= this.#pause.from && now < this.#pause.until) return this.#pause.until;
    this.#pause = null;
    return null;
  }

  /**
   * Waits for a free slot, and starts an item. Does not start an item that has failed in its present state, or whose
   * target has no free slot.
   *
   * @param settled called when the item is done or stored
   * @returns false if nothing can start now, so that the item must be offered again
   */
  async offer(item: Item, settled: () => void = nothing): Promise<boolean> {
    const same = this.#underWay.get(item.id);
    if (same?.position === item.changed_position) {
      void same.task.then(settled);
      return true;
    }
    if (!(await this.#room(item.id))) return false;
    if (!this.hasFailed(item)) return this.#start(item, settled);
    settled();
    return true;
  }

  /**
   * Starts an item immediately, even if it has failed before. For callers that limit concurrency themselves. @returns
   * false if the item cannot start now
   */
  startNow(item: Item): boolean {
    if (this.#at().signal.aborted || this.#pause || this.#underWay.has(item.id)) return false;
    this.#run(item, null, nothing);
    return true;
  }

  /** Returns whether an item in this state waits for a retry or has failed permanently. */
  hasFailed({ id, changed_position }: Pick<Item, 'id' | 'changed_position'>): boolean {
    return this.#givenUp.get(id) === changed_position || this.#retrying.get(id)?.item.position === changed_position;
  }

  /**
   * Starts failed items whose retry is due.
   *
   * @returns false if nothing can start now
   */
  async retryDue(now: number, find: Find<Item>): Promise<boolean> {
    for await (const items of this.#dueAgain(now, find)) {
      for (const item of items) {
        if (!(await this.#room(item.id))) return false;
        if (!(await this.#start(item, this.#retrying.get(item.id)?.settled ?? nothing))) return false;
      }
    }
    return true;
  }

  /** Removes and returns the failed items whose retry is due. The caller must start them. */
  async takeDue(now: number, find: Find<Item>): Promise<Item[]> {
    const taken: Item[] = [];
    for await (const items of this.#dueAgain(now, find)) {
      for (const item of items) {
        const entry = this.#retrying.get(item.id);
        if (entry) this.#waiting.set(item.id, entry.item);
        this.#retrying.delete(item.id);
        entry?.settled();
        taken.push(item);
      }
    }
    return taken;
  }

  /**
   * Yields pages of the failed items whose retry is due, in their present state. Forgets items that are no longer on
   * the list in the state that failed.
   */
  async *#dueAgain(now: number, find: Find<Item>): AsyncIterable<readonly Item[]> {
    const refs = this.#due(now);
    for (let from = 0; from < refs.length; from += PAGE) {
      const page = refs.slice(from, from + PAGE);
      const items = new Map((await find(page.map(({ id }) => id))).map((item) => [item.id, item]));
      const found: Item[] = [];
      const missing: string[] = [];
      for (const { id, position } of page) {
        const item = items.get(id);
        if (!item || (item.changed_position !== position && !this.#staysDue(item))) missing.push(id);
        else found.push(item);
      }
      yield found;
      await this.#forget(missing, now);
    }
  }

  /** Postpones an item without an attempt. */
  async postpone(item: Item, at: number): Promise<void> {
    if (!(await this.#room(item.id)) || this.hasFailed(item)) return;
    await this.#leave(item, retryItemAt(at), { tries: 0, settled: nothing });
  }

  /** Records a failure that was noticed after the item was done. */
  async failed(item: Item, error: Error, tries: number): Promise<void> {
    const now = this.#at().clock();
    await this.#leave(item, resultOfError(error, tries, now, false), { tries: tries - 1, settled: nothing, error });
  }

  /** Returns when the next retry is due, in milliseconds since 1970. Null if there is none. */
  nextRetry(now: number): number | null {
    let next = this.#targets.next(now);
    for (const { item } of this.#retrying.values()) next = Math.min(next ?? item.again, item.again);
    return next;
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all([...this.#underWay.values()].map(({ task }) => task));
  }

  /**
   * Waits for a free slot and, if the item is under way in an earlier state, for its end.
   *
   * @returns whether an item may start
   */
  async #room(id: string): Promise<boolean> {
    for (;;) {
      if (this.#at().signal.aborted || this.#pause) return false;
      const same = this.#underWay.get(id);
      if (same) await same.task;
      else if (this.#underWay.size < this.#options.atOnce) return true;
      else await new Promise<void>((resolve) => (this.#freed = resolve));
    }
  }

  /** Starts an item. If its target has no free slot, lets it wait for one. @returns false if nothing can start now */
  async #start(item: Item, settled: () => void): Promise<boolean> {
    const target = this.#options.targets?.of(item) ?? null;
    if (target !== null && !this.#targets.acquire(target, item.id, this.#at().clock())) {
      if (!(await this.#storeWaiting(item))) return false;
      this.#targets.wait(target, refOf(item));
      const tried = this.#retrying.get(item.id);
      if (tried) this.#waiting.set(item.id, tried.item);
      this.#retrying.delete(item.id);
      tried?.settled();
      settled();
      return true;
    }
    this.#run(item, target, settled);
    return true;
  }

  #run(item: Item, target: string | null, settled: () => void): void {
    const task = this.#do(item, target, settled).finally(() => {
      this.#underWay.delete(item.id);
      this.#freed();
      this.#options.ended?.(item);
      if (target !== null || this.#underWay.size === 0) this.#at().wake();
    });
    this.#underWay.set(item.id, { position: item.changed_position, task });
  }

  /**
   * Stores an item that waits for its target, if `keepsAll` requires it. @returns false if the store does not respond
   */
  async #storeWaiting(item: Item): Promise<boolean> {
    const { clock, failed } = this.#at();
    const { id, position } = refOf(item);
    if (!this.#options.keepsAll || this.#stored.get(id) === position) return true;
    const now = clock();
    const times = { again: now, tried: now, since: now };
    try {
      await failed.keep([{ id, position, state: 'retrying', tries: 0, ...times, reason: 'It waits for its target.' }]);
    } catch (trouble) {
      this.#pauseFrom(now, id, trouble);
      return false;
    }
    this.#stored.set(id, position);
    return true;
  }

  /**
   * Starts a pause because the store of failed items does not respond. @returns the end of the pause, in milliseconds
   * since 1970
   */
  #pauseFrom(now: number, item: string, trouble: unknown): number {
    const until = now + backoffAfter(1);
    this.#pause = { from: now, until };
    this.#at().log('error', `The reactor ${this.#name} cannot store failed items.`, { item }, trouble);
    this.#at().wake();
    return until;
  }

  /** Handles an item, and records the outcome. The returned promise never rejects. */
  async #do(item: Item, target: string | null, settled: () => void): Promise<void> {
    const { clock, signal } = this.#at();
    const entry = this.#retrying.get(item.id);
    const tried = entry?.item ?? this.#waiting.get(item.id);
    const known = tried?.position === item.changed_position ? tried : null;
    if (!known) entry?.settled();
    this.#retrying.delete(item.id);
    this.#waiting.delete(item.id);
    const tries = known?.tries ?? 0;
    let ending: ItemResult;
    let failure: unknown;
    try {
      ending = await this.#act(item, { now: instantOf(clock()), tries, signal });
    } catch (error) {
      failure = error;
      ending = resultOfError(error, tries + 1, clock(), isStoreUnavailable(error) || isReadModelLate(error));
    }
    // The lease has ended, so nothing is recorded. The next holder of the lease finds the item unchanged.
    const cutOff = signal.aborted && ending.end !== 'done';
    if (target !== null) this.#targets.release(target, ending.targetFailed && !cutOff, clock());
    if (cutOff) return;
    await this.#leave(item, ending, { tries, since: known?.since, settled, error: failure });
  }

  /** Records the outcome of an item. */
  async #leave(
    item: Item,
    ending: ItemResult,
    {
      tries,
      since,
      settled,
      error,
    }: { tries: number; since?: number | undefined; settled: () => void; error?: unknown },
  ): Promise<void> {
    const { clock, failed, wake } = this.#at();
    const { id, changed_position: position } = item;
    const now = clock();
    const hold = (again: number, reason: string): FailedItem => ({
      id,
      position,
      state: ending.end === 'given_up' ? 'given_up' : 'retrying',
      tries: ending.end === 'again' && ending.reason === null ? tries : tries + 1,
      again,
      tried: now,
      since: since ?? now,
      reason: reason.slice(0, LONGEST_REASON),
    });
    this.#retrying.delete(id);
    try {
      if (ending.end === 'done') {
        await this.#forget([id], now);
        settled();
      } else if (ending.end === 'given_up') {
        const stored = hold(0, ending.reason);
        await failed.keep([stored]);
        this.#stored.set(id, position);
        // Do not log the permanent failure again if an earlier state of the item had already failed permanently.
        if (this.#givenUp.has(id)) this.#trouble?.settled(id, now);
        else this.#trouble?.givenUp(id, stored.tries, stored.reason, now);
        this.#givenUp.set(id, position);
        settled();
      } else {
        const stored = hold(Math.max(ending.at, now + SHORTEST_PAUSE_MS), ending.reason ?? NOT_YET);
        this.#givenUp.delete(id);
        this.#logFailure(stored, ending, error, now);
        const isStored = this.#mustBeStored(stored, ending, error);
        if (isStored) {
          await failed.keep([stored]);
          this.#stored.set(id, position);
          settled();
        }
        this.#retrying.set(id, { item: stored, settled: isStored ? nothing : settled });
        wake();
      }
    } catch (trouble) {
      // The outcome could not be stored, so the item is done again, which must be harmless.
      const again = this.#pauseFrom(now, id, trouble);
      this.#retrying.set(id, { item: { ...hold(again, String(trouble)), state: 'retrying', tries }, settled });
    }
  }

  #mustBeStored({ tries }: FailedItem, ending: ItemResult & { end: 'again' }, error: unknown): boolean {
    if (isStoreUnavailable(error) || isReadModelLate(error)) return tries >= TRIES_BEFORE_STORING;
    return this.#options.keepsAll || ending.reason !== null;
  }

  #logFailure(
    { id, reason, again, tries }: FailedItem,
    ending: ItemResult & { end: 'again' },
    error: unknown,
    now: number,
  ): void {
    if (ending.reason === null) return;
    if (isStoreUnavailable(error)) this.#pause = { from: now, until: again };
    if (isStoreUnavailable(error) || isReadModelLate(error)) {
      this.#at().log('error', `The reactor ${this.#name} cannot do an item now.`, { item: id, tries }, error);
      return;
    }
    this.#trouble?.failed(error instanceof Error ? error.name : 'not yet possible', id, reason, now);
  }

  /** Forgets the failures of items that are done, or no longer on the list in the state that failed. */
  async #forget(ids: readonly string[], now: number): Promise<void> {
    const stored = ids.filter((id) => this.#stored.has(id));
    if (stored.length > 0) await this.#at().failed.release(stored);
    for (const id of ids) {
      this.#stored.delete(id);
      this.#givenUp.delete(id);
      this.#waiting.delete(id);
      this.#targets.drop(id);
      this.#trouble?.settled(id, now);
      const settled = this.#retrying.get(id)?.settled;
      this.#retrying.delete(id);
      settled?.();
    }
  }

  /** If an item must be retried although it has changed, updates its record to the present state and returns true. */
  #staysDue(item: Item): boolean {
    const entry = this.#retrying.get(item.id);
    if (!entry || this.#options.staysDue?.(item) !== true) return false;
    entry.item = { ...entry.item, position: item.changed_position };
    return true;
  }

  #due(now: number): ItemState[] {
    if (now < this.#seen) this.#targets.endPauses();
    this.#seen = now;
    const due = [...this.#retrying.values()]
      .filter(({ item: { again, tried } }) => now < tried || now >= again)
      .map(({ item: { id, position } }) => ({ id, position }))
      // Sort by position, because items that were loaded after a restart are ordered by id.
      .sort((one, other) => one.position - other.position);
    // Items that wait for a target come first. Otherwise, an item that always fails would take every slot of its
    // target.
    return [...this.#targets.readyItems(now), ...due].filter(({ id }) => !this.#underWay.has(id));
  }

  #at(): LeaseContext {
    if (!this.#lease) throw new Error(`The reactor ${this.#name} has not started.`);
    return this.#lease;
  }
}
