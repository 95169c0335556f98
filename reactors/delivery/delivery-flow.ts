import { instantOf } from '../../domain/time.ts';
import type { DueDeliveryDocument } from '../../projections/deliveries/projection.ts';
import { DoneItems } from '../engine/done-items.ts';
import type { ItemResult } from '../engine/item-result.ts';
import { ItemFlow } from '../engine/flow.ts';
import type { DueList, DuePlace } from '../engine/lists.ts';
import type { ItemContext, LeaseContext } from '../engine/work.ts';
import type { AttemptSignal } from './target-state.ts';
import { DeliveryScheduler, REFILL_SIZE, type QueueKey, type SchedulerLimits } from './scheduler.ts';

/** A delivery that has not ended. */
export type DeliveryItem = DueDeliveryDocument;

/** The list of deliveries that have not ended. */
export interface DeliveryList extends DueList<DeliveryItem> {
  /** Returns up to `limit` items of one queue, due after `after` (null: from the first item) and up to `upTo`. */
  dueIn: (queue: QueueKey, after: DuePlace | null, upTo: string, limit: number) => Promise<DeliveryItem[]>;
  /** Returns all items of some series. `keys` are series keys. */
  inSeries: (keys: readonly string[]) => Promise<DeliveryItem[]>;
  /** Returns the items of some series that wait until a digest replaces them, or until that digest has ended. */
  heldInSeries: (keys: readonly string[]) => Promise<SeriesItem[]>;
}

/** A message that has not ended, and its position in its series. */
export type SeriesItem = Pick<DeliveryItem, 'id' | 'series_key' | 'planned_position'>;

/** The result of an attempt, or of a delivery that ended without an attempt. */
export interface AttemptResult {
  ending: ItemResult;
  /** log position of the outcome; null if no outcome is stored */
  stored: number | null;
  sign: AttemptSignal;
  /** the error of an unavailable relay */
  trouble?: string;
}

export interface AttemptContext extends ItemContext {
  /** Returns why the message must not be sent, or not be sent again. Null if the message may be sent. */
  cancelReason: () => 'superseded' | 'dropped' | null;
}

export type Attempt = (item: DeliveryItem, context: AttemptContext) => Promise<AttemptResult>;

const PAGE = 500;

interface UnderWay {
  item: DeliveryItem;
  /**
   * whether the message is being sent and takes a slot of its target; false if the delivery is ended without being sent
   */
  sends: boolean;
  /** milliseconds of `performance.now()` */
  begun: number;
  /** effect of the attempt on the target; `nothing` until the attempt has ended */
  effect: Pick<AttemptResult, 'sign' | 'trouble'>;
}

/** Minimum time between two checks of the items that wait for an earlier message of their series. */
const BEHIND_PAUSE_MS = 250;
/** With many waiting items, the time between two such checks is this long per item. Example: 2 s for 1,000 items. */
const BEHIND_PAUSE_EACH_MS = 2;

/**
 * Starts deliveries when the scheduler (`scheduler.ts`) selects them. Handles each state of an item once. Messages of
 * one series to one receiver are sent one at a time. If several of them wait, only the newest is sent. Messages with
 * `in_order` are all sent, and each waits until the list no longer contains any earlier message of the series.
 */
export class DeliveryFlow {
  readonly #name: string;
  readonly #list: DeliveryList;
  readonly #flow: ItemFlow<DeliveryItem>;
  readonly #limits: SchedulerLimits;
  #scheduler: DeliveryScheduler<DeliveryItem>;
  #lease: LeaseContext | null = null;
  /** items in a queue of the scheduler or in `#blocked`, by id */
  readonly #waiting = new Map<string, DeliveryItem>();
  readonly #underWay = new Map<string, UnderWay>();
  /** items that changed while under way, by id; offered again when the attempt has ended */
  readonly #changed = new Map<string, DeliveryItem>();
  /** for each series with a message under way: the newer message that waits for it; null if none waits */
  readonly #blocked = new Map<string, DeliveryItem | null>();
  /** items that wait for an earlier message of their series, by id */
  readonly #behind = new Map<string, DeliveryItem>();
  /** when the items in `#behind` are checked again, milliseconds since 1970; null if there are none */
  #behindUntil: number | null = null;
  /** items that must end without an attempt, or without another one, by id; `end` is called when the item has ended */
  readonly #overtaken = new Map<string, { because: 'superseded' | 'dropped'; end: () => void }>();
  readonly #done = new DoneItems<DeliveryItem>();
  /** items to be offered again in the next round */
  #again: DeliveryItem[] = [];

  constructor(name: string, list: DeliveryList, attempt: Attempt, limits: SchedulerLimits) {
    this.#name = name;
    this.#list = list;
    this.#limits = limits;
    this.#scheduler = new DeliveryScheduler(limits);
    this.#flow = new ItemFlow(name, (item, context) => this.#do(item, context, attempt), {
      atOnce: Infinity,
      keepsAll: false,
      ended: (item) => {
        this.#ended(item);
      },
    });
  }

  /** Starts a lease. Requires that nothing is under way. */
  async begin(lease: LeaseContext): Promise<void> {
    this.#lease = lease;
    this.#scheduler = new DeliveryScheduler(this.#limits);
    for (const known of [this.#waiting, this.#changed, this.#blocked, this.#behind, this.#done]) known.clear();
    this.#again = [];
    this.#behindUntil = null;
    await this.#flow.begin(lease);
  }

  /**
   * Returns when the current pause ends, in milliseconds since 1970. A pause begins when a store does not respond. Null
   * without a pause.
   */
  pausedUntil(now: number): number | null {
    return this.#flow.pausedUntil(now);
  }

  /** Ends the pauses of all targets. Call it when the clock was set back, because the pauses would last too long. */
  endPauses(): void {
    this.#scheduler.endPauses();
  }

  /**
   * Adds due items in their present state to the queues of the scheduler. An item whose queue is full is read again
   * later.
   *
   * @returns false if nothing can start now; the caller must offer these items again
   */
  async offer(items: readonly DeliveryItem[], now: number): Promise<boolean> {
    if (this.#isStopped(now)) return false;
    const fresh = items.filter((item) => this.#isFresh(item));
    const newest = await this.#withoutSuperseded(fresh.filter(({ in_order }) => !in_order));
    const next = await this.#withoutLater(
      fresh.filter(({ in_order }) => in_order),
      now,
    );
    for (const item of [...newest, ...next]) {
      if (!this.#isFresh(item)) continue;
      const former = this.#waiting.get(item.id);
      if (former) this.#scheduler.remove(former);
      this.#waiting.delete(item.id);
      if (this.#scheduler.add(item)) this.#waiting.set(item.id, item);
    }
    this.startScheduled(now);
    return !this.#isStopped(now);
  }

  /** Offers items whose retry is due, and items set aside before. @returns false if nothing can start now */
  async offerAgain(now: number): Promise<boolean> {
    const again = this.#again;
    this.#again = [];
    again.push(...(await this.#flow.takeDue(now, this.#list.find)), ...(await this.#takeBehind(now)));
    for (let from = 0; from < again.length; from += PAGE) {
      if (await this.offer(again.slice(from, from + PAGE), now)) continue;
      this.#again.push(...again.slice(from));
      return false;
    }
    return true;
  }

  /** Ends items without sending them. Call it before items are offered. @returns false if some have not ended */
  async drop(items: readonly DeliveryItem[]): Promise<boolean> {
    const left = items.filter((item) => !this.#done.has(item));
    await Promise.all(left.map((item) => this.#end(item, 'dropped')));
    return left.every((item) => this.#done.has(item));
  }

  /** Reads more items for queues that are almost empty. @returns false if nothing can start now */
  async refill(now: number): Promise<boolean> {
    for (const queue of this.#scheduler.queuesToRefill(now)) {
      const from = this.#scheduler.beginRefill(queue);
      let goesOn = false;
      let page: DeliveryItem[] = [];
      try {
        page = await this.#list.dueIn(queue, from, instantOf(now), REFILL_SIZE);
        goesOn = await this.offer(page, now);
      } finally {
        const last = page.at(-1);
        const rest = goesOn ? (page.length === REFILL_SIZE && last ? last : null) : from;
        this.#scheduler.endRefill(queue, rest && { due_at: rest.due_at, id: rest.id });
      }
      if (!goesOn) return false;
    }
    return true;
  }

  /**
   * Returns when the next round is due, in milliseconds since 1970. Null if it is due only when a message has ended or
   * the list has changed.
   */
  nextCheck(now: number): number | null {
    const [wanting] = this.#scheduler.queuesToRefill(now);
    const isLeft = wanting !== undefined || this.#again.length > 0;
    const times = [
      this.#flow.nextRetry(now),
      this.#scheduler.nextStart(now),
      this.#behindUntil,
      isLeft ? now : null,
    ].filter((time) => time !== null);
    return times.length === 0 ? null : Math.min(...times);
  }

  /**
   * Returns whether this state of an item is done, failed, under way or waiting. If false, the caller must offer the
   * item again.
   */
  isTracked(item: DeliveryItem): boolean {
    return !this.#isFresh(item);
  }

  /** Returns the targets that are slow or paused and have a large backlog. */
  backloggedTargets(now: number): string[] {
    return this.#scheduler.backloggedTargets(now);
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    await this.#flow.idle();
  }

  /**
   * Compares done items with the list, if the list has folded their outcomes. Forgets items that are no longer on the
   * list, and records a failure for those that still are.
   */
  async settle(folded: number): Promise<void> {
    await this.#done.settle(this.#list.find, (...failure) => this.#flow.failed(...failure), folded);
  }

  /** Returns the position that the list must fold to show all outcomes. Null if the list already shows all outcomes. */
  unsettled(folded: number): number | null {
    const last = this.#done.lastStored;
    return last > folded ? last : null;
  }

  /** Starts all messages that the scheduler selects. */
  startScheduled(now: number): void {
    while (!this.#isStopped(now)) {
      const item = this.#scheduler.takeNext(now);
      if (!item) return;
      const { id, series_key: key } = item;
      if (key !== null && this.#blocked.has(key)) {
        this.#scheduler.release(item, 'nothing', now);
        this.#blocked.set(key, item);
        continue;
      }
      this.#waiting.delete(id);
      if (key !== null) this.#blocked.set(key, null);
      if (this.#begin(item, true)) continue;
      if (key !== null) this.#blocked.delete(key);
      this.#scheduler.release(item, 'nothing', now);
      this.#again.push(item);
      return;
    }
  }

  #at(): LeaseContext {
    if (!this.#lease) throw new Error(`The reactor ${this.#name} has not started.`);
    return this.#lease;
  }

  #isStopped(now: number): boolean {
    return this.#at().signal.aborted || this.#flow.pausedUntil(now) !== null;
  }

  /** Returns whether this state of an item is new: not done, failed, under way or waiting. */
  #isFresh(item: DeliveryItem): boolean {
    const { id, changed_position } = item;
    const isAsNew = (known: DeliveryItem | undefined): boolean =>
      known !== undefined && known.changed_position >= changed_position;
    if ([this.#done.get(id), this.#waiting.get(id), this.#behind.get(id)].some(isAsNew)) return false;
    const underWay = this.#underWay.get(id)?.item;
    if (underWay && !isAsNew(underWay)) this.#changed.set(id, item);
    return !underWay && !this.#flow.hasFailed(item);
  }

  /** Moves items that have an earlier message in their series to `#behind`. @returns the other items */
  async #withoutLater(items: readonly DeliveryItem[], now: number): Promise<DeliveryItem[]> {
    const keys = [...new Set(items.flatMap(({ series_key }) => series_key ?? []))];
    if (keys.length === 0) return [...items];
    // Done items that the list still shows count as earlier messages, too: they might have failed and be retried.
    const [due, held] = await Promise.all([this.#list.inSeries(keys), this.#list.heldInSeries(keys)]);
    const first = new Map<string | null, number>();
    for (const { series_key: key, planned_position } of [...items, ...due, ...held]) {
      first.set(key, Math.min(planned_position, first.get(key) ?? Infinity));
    }
    const isFirst = ({ series_key: key, planned_position }: DeliveryItem): boolean =>
      key === null || planned_position === first.get(key);
    for (const item of items.filter((item) => !isFirst(item))) this.#behind.set(item.id, item);
    if (this.#behind.size > 0) this.#behindUntil ??= now + this.#behindPause;
    return items.filter(isFirst);
  }

  get #behindPause(): number {
    return Math.max(BEHIND_PAUSE_MS, this.#behind.size * BEHIND_PAUSE_EACH_MS);
  }

  /**
   * If `#behindUntil` has been reached, removes all items from `#behind`.
   *
   * @returns these items in their present state
   */
  async #takeBehind(now: number): Promise<DeliveryItem[]> {
    if (this.#behindUntil === null || (now < this.#behindUntil && this.#behindUntil <= now + this.#behindPause)) {
      return [];
    }
    const ids = [...this.#behind.keys()];
    const found: DeliveryItem[] = [];
    for (let from = 0; from < ids.length; from += PAGE) {
      found.push(...(await this.#list.find(ids.slice(from, from + PAGE))));
    }
    this.#behind.clear();
    this.#behindUntil = null;
    return found;
  }

  /** Ends items for which their series has a newer message to the same receiver. @returns the other items */
  async #withoutSuperseded(items: readonly DeliveryItem[]): Promise<DeliveryItem[]> {
    const keys = [...new Set(items.flatMap(({ series_key }) => series_key ?? []))];
    if (keys.length === 0) return [...items];
    const all = new Map(items.map((item) => [item.id, item]));
    for (const item of await this.#list.inSeries(keys)) {
      if (!this.#done.has(item)) all.set(item.id, item);
    }
    const newest = new Map<string, DeliveryItem>();
    for (const item of all.values()) {
      const { series_key: key, planned_position } = item;
      if (key !== null && planned_position >= (newest.get(key)?.planned_position ?? 0)) newest.set(key, item);
    }
    const isNewest = ({ id, series_key: key }: DeliveryItem): boolean => key === null || newest.get(key)?.id === id;
    const older = [...all.values()].filter((item) => !isNewest(item));
    await Promise.all(older.map((item) => this.#end(item, 'superseded')));
    // The end of the older message must be stored before the newer one is sent. Otherwise, the older one would be sent
    // after the newer one if the process crashed.
    const left = new Set(older.filter((item) => this.#isLeft(item)).map(({ series_key }) => series_key));
    const current = items.filter(isNewest);
    this.#again.push(...current.filter(({ series_key }) => left.has(series_key)));
    return current.filter(({ series_key }) => !left.has(series_key));
  }

  /**
   * Returns whether an older message must still be ended. False if the older message is being sent, because the newer
   * message then waits in `#blocked`.
   */
  #isLeft(item: DeliveryItem): boolean {
    return !this.#done.has(item) && this.#underWay.get(item.id)?.sends !== true;
  }

  /** Ends an item without sending it. Resolves when the end was stored or could not be stored. */
  async #end(item: DeliveryItem, because: 'superseded' | 'dropped'): Promise<void> {
    const { id, series_key: key } = item;
    const isUnderWay = this.#underWay.has(id);
    if (isUnderWay && this.#overtaken.has(id)) return;
    const ended = new Promise<void>((end) => this.#overtaken.set(id, { because, end }));
    // The message is being sent. If the attempt fails, `cancelReason` prevents a retry.
    if (isUnderWay) return;
    const waiting = this.#waiting.get(id);
    if (waiting) this.#scheduler.remove(waiting);
    this.#waiting.delete(id);
    if (key !== null && this.#blocked.get(key)?.id === id) this.#blocked.set(key, null);
    if (this.#begin(item, false)) await ended;
    else this.#overtaken.delete(id);
  }

  #begin(item: DeliveryItem, sends: boolean): boolean {
    this.#underWay.set(item.id, { item, sends, begun: performance.now(), effect: { sign: 'nothing' } });
    const begins = this.#flow.startNow(item);
    if (!begins) this.#underWay.delete(item.id);
    return begins;
  }

  async #do(item: DeliveryItem, context: ItemContext, attempt: Attempt): Promise<ItemResult> {
    const attempted = await attempt(item, {
      ...context,
      cancelReason: () => this.#overtaken.get(item.id)?.because ?? null,
    });
    if (attempted.stored !== null) this.#done.add(item, attempted.stored);
    const underWay = this.#underWay.get(item.id);
    if (underWay && !context.signal.aborted) underWay.effect = attempted;
    return attempted.ending;
  }

  #ended(item: DeliveryItem): void {
    const { clock, log, wake, signal } = this.#at();
    const { id, notifier, series_key: key } = item;
    const underWay = this.#underWay.get(id);
    const now = clock();
    this.#underWay.delete(id);
    this.#overtaken.get(id)?.end();
    this.#overtaken.delete(id);
    if (underWay?.sends) {
      const { effect, begun } = underWay;
      const change = this.#scheduler.release(item, effect.sign, now, performance.now() - begun);
      if (change === 'unavailable') {
        log('warn', `The relay for ${notifier} is unavailable. Its messages wait.`, { reason: effect.trouble ?? '' });
      }
      if (change === 'available')
        log('info', `The relay for ${notifier} is available again. Its messages are sent.`, {});
      this.#unblock(key);
    }
    const changed = this.#changed.get(id);
    if (changed) this.#again.push(changed);
    this.#changed.delete(id);
    if (!signal.aborted) this.startScheduled(now);
    wake();
  }

  #unblock(key: string | null): void {
    const next = key === null ? null : this.#blocked.get(key);
    if (key !== null) this.#blocked.delete(key);
    if (!next) return;
    this.#waiting.delete(next.id);
    this.#again.push(next);
  }
}
