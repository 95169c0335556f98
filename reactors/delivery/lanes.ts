import { Rate } from './rate.ts';
import { Lane, type Sign } from './lane.ts';
import type { Priority } from '../../domain/delivery/events.ts';
import { isUpTo, type Place } from '../engine/lists.ts';

/** What tells messages apart that wait one after another. */
export interface Kept {
  notifier: string;
  target: string;
  priority: Priority;
  organization_id: string;
}

export interface Waiting extends Kept, Place {}

/** Messages of one organization and one priority to one target, in the order in which they are due. */
export interface Queue<Item> extends Kept {
  lane: Lane<Queue<Item>>;
  /** the first of them */
  items: Item[];
  /** what is due after this place is not held here, and has to be read again; null: everything due is held */
  after: Place | null;
}

/** How many messages of a notifier are under way. */
interface Mode<Item> {
  rate: Rate;
  underWay: number;
  /** by priority and organization */
  byOrganization: Map<string, number>;
  /** by priority, then by organization in the order of their turns: queues in the order of their turns */
  turns: Map<string, Set<Queue<Item>>>[];
}

export interface LaneLimits {
  /** messages of a notifier that begin in a second */
  perSecond: number;
  /** messages of a notifier under way at once */
  atOnce: number;
  /** messages to one target under way at once */
  atOnceToOne: number;
}

/** How many messages a queue holds; the others stay in the store until their turn comes nearer. */
const MOST_HELD = 100;
/** With fewer a queue wants more from the store. */
const FEW = 20;
/** Read at once for a queue that has few. */
export const REFILL = MOST_HELD - FEW;

const RANKS: Readonly<Record<Priority, number>> = { account: 0, alert: 1, page: 2 };

/**
 * Whose turn it is among messages that are due. Each target has a lane of its own, and messages to the same target wait
 * there without holding up others. Messages about accounts come first, then alerts, then those of pages; within a
 * priority organizations take turns, and the targets of an organization too. The alerts of an organization take at most as
 * many places as are left free, and so does what its pages tell, so there is always one for an organization that has none.
 */
export class Lanes<Item extends Waiting> {
  readonly #limits: LaneLimits;
  readonly #modes = new Map<string, Mode<Item>>();
  readonly #lanes = new Map<string, Lane<Queue<Item>>>();
  readonly #queues = new Map<string, Queue<Item>>();
  /** queues of which the store has more */
  readonly #partial = new Set<Queue<Item>>();
  /** lanes with a pause */
  readonly #paused = new Set<Lane<Queue<Item>>>();

  constructor(limits: LaneLimits) {
    this.#limits = limits;
  }

  /** Lets a message wait for its turn. @returns false: its queue is full, and reads it again when there is room */
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

  /** A message no longer waits. */
  remove(item: Item): void {
    const queue = this.#queues.get(keyOf(item));
    const index = queue?.items.findIndex(({ id }) => id === item.id) ?? -1;
    if (!queue || index < 0) return;
    queue.items.splice(index, 1);
    this.#forgetEmpty(queue);
  }

  /** Takes the places of the message whose turn it is; null: none may begin now. */
  take(now: number): Item | null {
    this.#endPausesUntil(now);
    for (const mode of this.#modes.values()) {
      if (mode.underWay >= this.#limits.atOnce) continue;
      for (const [rank, turns] of mode.turns.entries()) {
        // Alerts are few, or come as digests; those that programs get one by one are not to come minutes late.
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
   * Gives the places of a message back.
   *
   * @param milliseconds how long it was under way
   * @returns whether its lane has got a pause since its relay is out of order, or works again; null: as before
   */
  leave(item: Item, sign: Sign, now: number, milliseconds = 0): 'out of order' | 'works again' | null {
    const { lane } = this.#queueOf(item);
    const mode = this.#modeOf(item.notifier);
    mode.underWay -= 1;
    const whose = sharing(RANKS[item.priority], item.organization_id);
    const others = (mode.byOrganization.get(whose) ?? 1) - 1;
    if (others === 0) mode.byOrganization.delete(whose);
    else mode.byOrganization.set(whose, others);
    const change = lane.leave(sign, now, milliseconds);
    if (lane.until > now) this.#paused.add(lane);
    this.#letIn(lane, now);
    this.#forgetEmpty(this.#queueOf(item));
    return change;
  }

  /** Queues that have few messages left, and more in the store. */
  *wanting(now: number): Iterable<Queue<Item>> {
    for (const queue of [...this.#partial]) {
      if (queue.items.length <= FEW && now >= queue.lane.until) yield queue;
    }
  }

  /** Everything due is about to be read for a queue. @returns the place to read from */
  refill(queue: Queue<Item>): Place | null {
    const { after } = queue;
    queue.after = null;
    this.#partial.delete(queue);
    return after;
  }

  /** What was read for a queue was added. @param rest what is due after this place was not read; null: all was */
  refilled(queue: Queue<Item>, rest: Place | null): void {
    if (rest) this.#leaveOut(this.#queueOf(queue), rest);
    else this.#forgetEmpty(queue);
  }

  /** Targets where many messages wait because they are slow, or have a pause. */
  heldUp(now: number): string[] {
    const lanes = new Set([...this.#partial].filter(({ lane }) => lane.isHeldUp(now)).map(({ target }) => target));
    return [...lanes].sort();
  }

  /** When the next message may begin, milliseconds since 1970; null: none waits, or an end makes room for it. */
  next(now: number): number | null {
    let next: number | null = null;
    const at = (time: number): void => {
      next = Math.min(next ?? time, time);
    };
    for (const { queues, until } of this.#paused) if (queues > 0 && until > now) at(until);
    for (const mode of this.#modes.values()) {
      // The rate that held a message back may allow it by now, and nothing else may come that lets it begin.
      if (this.#holdsBack(mode)) at(now + Math.ceil(mode.rate.wait));
    }
    return next;
  }

  /** Whether messages wait for which there is room. */
  #holdsBack(mode: Mode<Item>): boolean {
    if (mode.underWay >= this.#limits.atOnce) return false;
    return mode.turns.some((turns, rank) =>
      [...turns.keys()].some((organization) => this.#hasRoom(mode, rank, organization)),
    );
  }

  #hasRoom(mode: Mode<Item>, rank: number, organization: string): boolean {
    const mine = mode.byOrganization.get(sharing(rank, organization)) ?? 0;
    return rank === RANKS.account || mine < this.#limits.atOnce - mode.underWay;
  }

  /** Pauses would last too long: the clock was set back. */
  endPauses(): void {
    for (const lane of this.#paused) lane.until = 0;
  }

  /** What is due after a place is not held in a queue. */
  #leaveOut(queue: Queue<Item>, after: Place): void {
    if (queue.after === null || !isUpTo(queue.after, after)) queue.after = after;
    this.#partial.add(queue);
  }

  #takeOf(mode: Mode<Item>, rank: number, [organization, queues]: [string, Set<Queue<Item>>], now: number) {
    const turns = mode.turns[rank];
    turns?.delete(organization);
    const whose = sharing(rank, organization);
    let taken: Item | null = null;
    for (const queue of this.#hasRoom(mode, rank, organization) ? queues : []) {
      queues.delete(queue);
      if (!queue.lane.takesMore(now)) {
        queue.lane.waiting.add(queue);
        continue;
      }
      const item = queue.items.shift();
      if (queue.items.length > 0) queues.add(queue);
      if (!item) {
        this.#forgetEmpty(queue);
        continue;
      }
      queue.lane.underWay += 1;
      mode.underWay += 1;
      mode.byOrganization.set(whose, (mode.byOrganization.get(whose) ?? 0) + 1);
      mode.rate.begin();
      taken = item;
      break;
    }
    if (queues.size > 0) turns?.set(organization, queues);
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

  /** Queues that wait for their lane take turns again. */
  #letIn(lane: Lane<Queue<Item>>, now: number): void {
    if (!lane.takesMore(now) || lane.waiting.size === 0) return;
    const queues = [...lane.waiting];
    lane.waiting.clear();
    for (const queue of queues) this.#enrol(queue);
  }

  #enrol(queue: Queue<Item>): void {
    if (queue.items.length === 0 || queue.lane.waiting.has(queue)) return;
    const turns = this.#modeOf(queue.notifier).turns[RANKS[queue.priority]];
    const queues = turns?.get(queue.organization_id) ?? new Set();
    queues.add(queue);
    turns?.set(queue.organization_id, queues);
  }

  #modeOf(notifier: string): Mode<Item> {
    const known = this.#modes.get(notifier);
    if (known) return known;
    const turns = Object.keys(RANKS).map(() => new Map<string, Set<Queue<Item>>>());
    const mode = { rate: new Rate(this.#limits.perSecond), underWay: 0, byOrganization: new Map(), turns };
    this.#modes.set(notifier, mode);
    return mode;
  }

  #queueOf(of: Kept): Queue<Item> {
    const key = keyOf(of);
    const known = this.#queues.get(key);
    if (known) return known;
    const { notifier, target, priority, organization_id } = of;
    const laneKey = `${notifier} ${target}`;
    const lane = this.#lanes.get(laneKey) ?? new Lane<Queue<Item>>(laneKey, this.#limits.atOnceToOne);
    this.#lanes.set(laneKey, lane);
    const queue = { notifier, target, priority, organization_id, lane, items: [], after: null };
    lane.queues += 1;
    this.#queues.set(key, queue);
    return queue;
  }

  #forgetEmpty(queue: Queue<Item>): void {
    const { lane } = queue;
    // One that was forgotten may still have a turn, while another takes its place.
    if (queue.items.length > 0 || queue.after !== null || this.#queues.get(keyOf(queue)) !== queue) return;
    this.#queues.delete(keyOf(queue));
    lane.waiting.delete(queue);
    lane.queues -= 1;
    if (lane.isIdle && !this.#paused.has(lane)) this.#lanes.delete(lane.key);
  }
}

const sharing = (rank: number, organizationId: string): string => `${rank.toString()} ${organizationId}`;

const keyOf = ({ notifier, target, priority, organization_id }: Kept): string =>
  `${priority} ${organization_id} ${notifier} ${target}`;
