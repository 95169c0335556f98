import { MessageRate } from './message-rate.ts';
import { TargetState, type AttemptSignal } from './target-state.ts';
import type { Priority } from '../../domain/delivery/events.ts';
import { isDueUpTo, type DuePlace } from '../engine/lists.ts';

/** The key of a queue of messages. */
export interface QueueKey {
  notifier: string;
  target: string;
  priority: Priority;
  organization_id: string;
}

export interface QueuedMessage extends QueueKey, DuePlace {}

/** Messages of one organization and priority to one target, in due order. */
export interface MessageQueue<Item> extends QueueKey {
  targetState: TargetState<MessageQueue<Item>>;
  /** the earliest messages of the queue; all later messages are only in the store */
  items: Item[];
  /** items due after this place are only in the store and must be read; null if all due items are in memory */
  after: DuePlace | null;
}

/** The state of a notifier: its rate, its messages under way, and the queues that wait for its slots. */
interface Mode<Item> {
  rate: MessageRate;
  underWay: number;
  /** number of messages under way, by priority and organization ({@link limitFor}) */
  byOrganization: Map<string, number>;
  /** one map per priority: from organizations (in round-robin order) to their queues (in round-robin order) */
  turns: Map<string, Set<MessageQueue<Item>>>[];
}

export interface SchedulerLimits {
  /** maximum number of messages that a notifier starts per second */
  perSecond: number;
  /** concurrent messages of one notifier */
  concurrency: number;
  /** concurrent messages to one target */
  concurrencyPerTarget: number;
}

/** Maximum number of messages of a queue in memory. All others are only in the store. */
const MOST_HELD = 100;
/** A queue with at most this many messages in memory is refilled from the store. */
const FEW = 20;
/** Number of messages that one refill reads. */
export const REFILL_SIZE = MOST_HELD - FEW;

const RANKS: Readonly<Record<Priority, number>> = { account: 0, alert: 1, page: 2 };

/**
 * Schedules due messages fairly. Each target has its own limit and circuit breaker, so a slow target delays no other.
 * Messages about accounts come first, then alerts, then page messages. Within a priority, slots are given to
 * organizations in round robin, and within an organization to its targets in round robin.
 *
 * The alerts of an organization occupy at most as many slots of a notifier as are left free. The same limit applies to
 * its page messages. Therefore, a slot is always left for an organization that occupies none.
 */
export class DeliveryScheduler<Item extends QueuedMessage> {
  readonly #limits: SchedulerLimits;
  readonly #modes = new Map<string, Mode<Item>>();
  readonly #targetStates = new Map<string, TargetState<MessageQueue<Item>>>();
  readonly #queues = new Map<string, MessageQueue<Item>>();
  /** queues with messages that are only in the store */
  readonly #partial = new Set<MessageQueue<Item>>();
  /** targets that pause after failures, and targets whose past failures are remembered */
  readonly #paused = new Set<TargetState<MessageQueue<Item>>>();

  constructor(limits: SchedulerLimits) {
    this.#limits = limits;
  }

  /** Queues a message. @returns false if its queue is full; the message is then read again by a refill */
  add(item: Item): boolean {
    const queue = this.#queueOf(item);
    if (queue.after !== null || queue.items.length >= MOST_HELD) {
      this.#leaveOut(queue, { due_at: item.due_at, id: '' });
      return false;
    }
    queue.items.push(item);
    this.#enrol(queue);
    return true;
  }

  /** Removes a message from its queue. */
  remove(item: Item): void {
    const queue = this.#queues.get(keyOf(item));
    const index = queue?.items.findIndex(({ id }) => id === item.id) ?? -1;
    if (!queue || index < 0) return;
    queue.items.splice(index, 1);
    this.#forgetEmpty(queue);
  }

  /** Selects the next message and takes its slots. Returns null if no message may start now. */
  takeNext(now: number): Item | null {
    this.#endPausesUntil(now);
    for (const mode of this.#modes.values()) {
      if (mode.underWay >= this.#limits.concurrency) continue;
      for (const [rank, turns] of mode.turns.entries()) {
        // Alerts are exempt from the rate limit. Messages to people are combined in digests, so they are few; messages
        // to programs are not combined, but must not be minutes late.
        if (rank !== RANKS.alert && mode.rate.wait > 0) continue;
        for (let left = turns.size; left > 0; left--) {
          const [first] = turns;
          if (!first) break;
          const item = this.#takeOf(mode, rank, first, now);
          if (item) return item;
        }
      }
    }
    return null;
  }

  /**
   * Frees the slots of a message.
   *
   * @param milliseconds the duration of the attempt
   * @returns whether the relay became unavailable or available again; null if that has not changed
   */
  release(item: Item, sign: AttemptSignal, now: number, milliseconds = 0): 'unavailable' | 'available' | null {
    const { targetState } = this.#queueOf(item);
    const mode = this.#modeOf(item.notifier);
    mode.underWay -= 1;
    const whose = limitFor(RANKS[item.priority], item.organization_id);
    const others = (mode.byOrganization.get(whose) ?? 1) - 1;
    if (others === 0) mode.byOrganization.delete(whose);
    else mode.byOrganization.set(whose, others);
    const change = targetState.release(sign, now, milliseconds);
    if (targetState.until > now) this.#paused.add(targetState);
    this.#letIn(targetState, now);
    this.#forgetEmpty(this.#queueOf(item));
    return change;
  }

  /** Yields the queues that are almost empty in memory and have more messages in the store. */
  *queuesToRefill(now: number): Iterable<MessageQueue<Item>> {
    for (const queue of [...this.#partial]) {
      if (queue.items.length <= FEW && now >= queue.targetState.until) yield queue;
    }
  }

  /** Starts a refill of a queue. @returns the place in due order after which the list must be read */
  beginRefill(queue: MessageQueue<Item>): DuePlace | null {
    const { after } = queue;
    queue.after = null;
    this.#partial.delete(queue);
    return after;
  }

  /**
   * Ends a refill.
   *
   * @param rest the place up to which items were read, if more items are due; null if all due items were read
   */
  endRefill(queue: MessageQueue<Item>, rest: DuePlace | null): void {
    if (rest) this.#leaveOut(this.#queueOf(queue), rest);
    else this.#forgetEmpty(queue);
  }

  /** Returns the targets that are slow or paused and have a large backlog, sorted. */
  backloggedTargets(now: number): string[] {
    const backlogged = new Set(
      [...this.#partial].filter(({ targetState }) => targetState.isBacklogged(now)).map(({ target }) => target),
    );
    return [...backlogged].sort();
  }

  /**
   * Returns when the next message may start, in milliseconds since 1970. Null if no message waits, or if the next one
   * waits for the end of another message.
   */
  nextStart(now: number): number | null {
    let next: number | null = null;
    const at = (time: number): void => {
      next = Math.min(next ?? time, time);
    };
    for (const { queues, until } of this.#paused) if (queues > 0 && until > now) at(until);
    for (const mode of this.#modes.values()) {
      // Request a call even if the rate limit already allows a message now. Otherwise, there might be no event that
      // triggers a call.
      if (this.#holdsBack(mode)) at(now + Math.ceil(mode.rate.wait));
    }
    return next;
  }

  /** Returns whether messages of a notifier wait only for its rate limit, because slots are free. */
  #holdsBack(mode: Mode<Item>): boolean {
    if (mode.underWay >= this.#limits.concurrency) return false;
    return mode.turns.some((organizations, rank) =>
      [...organizations.keys()].some((organization) => this.#hasRoom(mode, rank, organization)),
    );
  }

  #hasRoom(mode: Mode<Item>, rank: number, organization: string): boolean {
    const mine = mode.byOrganization.get(limitFor(rank, organization)) ?? 0;
    return rank === RANKS.account || mine < this.#limits.concurrency - mode.underWay;
  }

  /** Ends all pauses. Call it when the clock was set back, because the pauses would last too long. */
  endPauses(): void {
    for (const targetState of this.#paused) targetState.until = 0;
  }

  /** Records that items of a queue due after a place are only in the store. */
  #leaveOut(queue: MessageQueue<Item>, after: DuePlace): void {
    if (queue.after === null || !isDueUpTo(queue.after, after)) queue.after = after;
    this.#partial.add(queue);
  }

  #takeOf(mode: Mode<Item>, rank: number, [organization, queues]: [string, Set<MessageQueue<Item>>], now: number) {
    const organizations = mode.turns[rank];
    organizations?.delete(organization);
    const whose = limitFor(rank, organization);
    let taken: Item | null = null;
    for (const queue of this.#hasRoom(mode, rank, organization) ? queues : []) {
      queues.delete(queue);
      if (!queue.targetState.hasFreeSlot(now)) {
        queue.targetState.waiting.add(queue);
        continue;
      }
      const item = queue.items.shift();
      if (queue.items.length > 0) queues.add(queue);
      if (!item) {
        this.#forgetEmpty(queue);
        continue;
      }
      queue.targetState.underWay += 1;
      mode.underWay += 1;
      mode.byOrganization.set(whose, (mode.byOrganization.get(whose) ?? 0) + 1);
      mode.rate.begin();
      taken = item;
      break;
    }
    if (queues.size > 0) organizations?.set(organization, queues);
    return taken;
  }

  #endPausesUntil(now: number): void {
    for (const targetState of this.#paused) {
      if (now < targetState.until) continue;
      this.#letIn(targetState, now);
      if (targetState.isForgotten(now)) {
        this.#paused.delete(targetState);
        if (targetState.isIdle) this.#targetStates.delete(targetState.key);
      }
    }
  }

  /** Puts the queues that wait for a target back into the round robin if the target has a free slot. */
  #letIn(targetState: TargetState<MessageQueue<Item>>, now: number): void {
    if (!targetState.hasFreeSlot(now) || targetState.waiting.size === 0) return;
    const queues = [...targetState.waiting];
    targetState.waiting.clear();
    for (const queue of queues) this.#enrol(queue);
  }

  #enrol(queue: MessageQueue<Item>): void {
    if (queue.items.length === 0 || queue.targetState.waiting.has(queue)) return;
    const organizations = this.#modeOf(queue.notifier).turns[RANKS[queue.priority]];
    const queues = organizations?.get(queue.organization_id) ?? new Set();
    queues.add(queue);
    organizations?.set(queue.organization_id, queues);
  }

  #modeOf(notifier: string): Mode<Item> {
    const known = this.#modes.get(notifier);
    if (known) return known;
    const organizations = Object.keys(RANKS).map(() => new Map<string, Set<MessageQueue<Item>>>());
    const mode = {
      rate: new MessageRate(this.#limits.perSecond),
      underWay: 0,
      byOrganization: new Map(),
      turns: organizations,
    };
    this.#modes.set(notifier, mode);
    return mode;
  }

  #queueOf(of: QueueKey): MessageQueue<Item> {
    const key = keyOf(of);
    const known = this.#queues.get(key);
    if (known) return known;
    const { notifier, target, priority, organization_id } = of;
    const targetKey = `${notifier} ${target}`;
    const targetState =
      this.#targetStates.get(targetKey) ??
      new TargetState<MessageQueue<Item>>(targetKey, this.#limits.concurrencyPerTarget);
    this.#targetStates.set(targetKey, targetState);
    const queue = { notifier, target, priority, organization_id, targetState, items: [], after: null };
    targetState.queues += 1;
    this.#queues.set(key, queue);
    return queue;
  }

  #forgetEmpty(queue: MessageQueue<Item>): void {
    const { targetState } = queue;
    // This queue might have been replaced by another one with the same key, while it was still in the round robin.
    if (queue.items.length > 0 || queue.after !== null || this.#queues.get(keyOf(queue)) !== queue) return;
    this.#queues.delete(keyOf(queue));
    targetState.waiting.delete(queue);
    targetState.queues -= 1;
    if (targetState.isIdle && !this.#paused.has(targetState)) this.#targetStates.delete(targetState.key);
  }
}

const limitFor = (rank: number, organizationId: string): string => `${rank} ${organizationId}`;

const keyOf = ({ notifier, target, priority, organization_id }: QueueKey): string =>
  `${priority} ${organization_id} ${notifier} ${target}`;
