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
  /** the first of them */
  items: Item[];
  /** items due after this place are not in memory and must be read again; null: everything due is in memory */
  after: DuePlace | null;
}

/** The concurrency state of a notifier. */
interface Mode<Item> {
  rate: MessageRate;
  underWay: number;
  /** by priority and organization */
  byOrganization: Map<string, number>;
  /** by priority, then by organization in round-robin order: queues in round-robin order */
  turns: Map<string, Set<MessageQueue<Item>>>[];
}

export interface SchedulerLimits {
  /** messages of one notifier that may start per second */
  perSecond: number;
  /** concurrent messages of one notifier */
  concurrency: number;
  /** concurrent messages to one target */
  concurrencyPerTarget: number;
}

/** Maximum length of a queue in memory; further messages stay in the store. */
const MOST_HELD = 100;
/** A shorter queue is refilled from the store. */
const FEW = 20;
/** Messages read per refill. */
export const REFILL_SIZE = MOST_HELD - FEW;

const RANKS: Readonly<Record<Priority, number>> = { account: 0, alert: 1, page: 2 };

/**
 * Schedules due messages fairly. Each target has its own limit and circuit breaker, so a slow target delays no other.
 * Messages about accounts come first, then alerts, then page messages. Within a priority, organizations take turns, and
 * so do the targets of an organization. An organization's alerts may use at most as many slots as they leave free, and
 * so may its page messages; this leaves a slot for an organization that has none.
 */
export class DeliveryScheduler<Item extends QueuedMessage> {
  readonly #limits: SchedulerLimits;
  readonly #modes = new Map<string, Mode<Item>>();
  readonly #lanes = new Map<string, TargetState<MessageQueue<Item>>>();
  readonly #queues = new Map<string, MessageQueue<Item>>();
  /** queues with more messages in the store */
  readonly #partial = new Set<MessageQueue<Item>>();
  /** targets with a pause */
  readonly #paused = new Set<TargetState<MessageQueue<Item>>>();

  constructor(limits: SchedulerLimits) {
    this.#limits = limits;
  }

  /** Queues a message. @returns false: its queue is full, and reads the message again once there is room */
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

  /** Selects the next message and takes its slots; null: none may start now. */
  takeNext(now: number): Item | null {
    this.#endPausesUntil(now);
    for (const mode of this.#modes.values()) {
      if (mode.underWay >= this.#limits.concurrency) continue;
      for (const [rank, turns] of mode.turns.entries()) {
        // Alerts are few, or come as digests. Those that programs receive individually must not be minutes late.
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
   * @param milliseconds its duration
   * @returns whether its relay became unavailable or available again; null: no change
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

  /** Queues that are short and have more messages in the store. */
  *queuesToRefill(now: number): Iterable<MessageQueue<Item>> {
    for (const queue of [...this.#partial]) {
      if (queue.items.length <= FEW && now >= queue.targetState.until) yield queue;
    }
  }

  /** Starts a refill of a queue. @returns the place to read from */
  beginRefill(queue: MessageQueue<Item>): DuePlace | null {
    const { after } = queue;
    queue.after = null;
    this.#partial.delete(queue);
    return after;
  }

  /** Ends a refill. @param rest items due after this place were not read; null: all were read */
  endRefill(queue: MessageQueue<Item>, rest: DuePlace | null): void {
    if (rest) this.#leaveOut(this.#queueOf(queue), rest);
    else this.#forgetEmpty(queue);
  }

  /** Targets with a large backlog because they are slow or paused. */
  backloggedTargets(now: number): string[] {
    const lanes = new Set(
      [...this.#partial].filter(({ targetState }) => targetState.isBacklogged(now)).map(({ target }) => target),
    );
    return [...lanes].sort();
  }

  /**
   * When the next message may start, milliseconds since 1970; null: none waits, or the end of another message comes
   * first.
   */
  nextStart(now: number): number | null {
    let next: number | null = null;
    const at = (time: number): void => {
      next = Math.min(next ?? time, time);
    };
    for (const { queues, until } of this.#paused) if (queues > 0 && until > now) at(until);
    for (const mode of this.#modes.values()) {
      // The rate limit may allow the message by now, and no other event may trigger it.
      if (this.#holdsBack(mode)) at(now + Math.ceil(mode.rate.wait));
    }
    return next;
  }

  /** Whether messages wait for the rate limit although slots are free. */
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

  /** Ends all pauses, which would last too long after the clock was set back. */
  endPauses(): void {
    for (const lane of this.#paused) lane.until = 0;
  }

  /** Marks items due after a place as not in memory. */
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
    for (const lane of this.#paused) {
      if (now < lane.until) continue;
      this.#letIn(lane, now);
      if (lane.isForgotten(now)) {
        this.#paused.delete(lane);
        if (lane.isIdle) this.#lanes.delete(lane.key);
      }
    }
  }

  /** Returns the queues that waited for a target to the round robin. */
  #letIn(lane: TargetState<MessageQueue<Item>>, now: number): void {
    if (!lane.hasFreeSlot(now) || lane.waiting.size === 0) return;
    const queues = [...lane.waiting];
    lane.waiting.clear();
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
    const laneKey = `${notifier} ${target}`;
    const lane =
      this.#lanes.get(laneKey) ?? new TargetState<MessageQueue<Item>>(laneKey, this.#limits.concurrencyPerTarget);
    this.#lanes.set(laneKey, lane);
    const queue = { notifier, target, priority, organization_id, targetState: lane, items: [], after: null };
    lane.queues += 1;
    this.#queues.set(key, queue);
    return queue;
  }

  #forgetEmpty(queue: MessageQueue<Item>): void {
    const { targetState } = queue;
    // A forgotten queue may still be in the round robin while another one with its key exists.
    if (queue.items.length > 0 || queue.after !== null || this.#queues.get(keyOf(queue)) !== queue) return;
    this.#queues.delete(keyOf(queue));
    targetState.waiting.delete(queue);
    targetState.queues -= 1;
    if (targetState.isIdle && !this.#paused.has(targetState)) this.#lanes.delete(targetState.key);
  }
}

const limitFor = (rank: number, organizationId: string): string => `${rank} ${organizationId}`;

const keyOf = ({ notifier, target, priority, organization_id }: QueueKey): string =>
  `${priority} ${organization_id} ${notifier} ${target}`;
