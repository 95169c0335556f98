import { giveUpDelivery, recordAttempt, type Judged } from '../../domain/delivery/decide.ts';
import { shardOf, type DeliveryEvent } from '../../domain/delivery/events.ts';
import { LONGEST_PAUSE_MS } from '../../domain/delivery/schedule.ts';
import { streamOf } from '../../domain/decider.ts';
import type { NewEvent } from '../../domain/event.ts';
import { derivedUuid } from '../../domain/identity.ts';
import { systemEvent } from '../../domain/system-event.ts';
import { instantOf, millisecondsOf, type Instant } from '../../domain/time.ts';
import type { Notifier, Sent } from '../../notifiers/notifier.ts';
import { deliveries, type DueDeliveryDocument } from '../../projections/deliveries/projection.ts';
import type { DeliveryObserver } from '../context.ts';
import type { ReactorDefinition } from '../engine/define.ts';
import { dueWaiting } from '../engine/due.ts';
import { againAt, done } from '../engine/ending.ts';
import { dueList, type TodoProjection } from '../engine/lists.ts';
import type { Work } from '../engine/work.ts';
import type { AnyCauseKind, DigestKind, Telling } from './cause.ts';
import { causeContextOf } from './cause-context.ts';
import { dispatchWork } from './dispatch.ts';
import { droppedAll, droppedUpTo } from './drop.ts';
import { tellHeldUp } from './held-up.ts';
import type { Sign } from './lane.ts';
import { deliveryList } from './list.ts';
import { chatMovedBy, type ChatMoved } from './moved-chat.ts';
import type { Attempt, AttemptContext, Attempted, DeliveryList } from './turns.ts';

export const DELIVERY = 'delivery';

/** Messages of a notifier sent at once: each waits for an answer most of the time. */
const AT_ONCE = 256;
/** Messages sent at once to one target. */
const AT_ONCE_TO_ONE = 10;
/** How often this release checks whether it can deliver what another release planned. */
const RELEASE_PAUSE_MS = 60_000;

/** How often it is looked at again whether a message may be sent. */
const POSTPONED_MS = 60_000;

/** How long a relay that is out of order is left alone, unless it says more. */
const RELAY_PAUSE_MS = 30_000;

export interface DeliveryDependencies {
  /** milliseconds since 1970 */
  clock: () => number;
  notifiers: ReadonlyMap<string, Notifier>;
  /** what messages say, by the kind of their cause */
  kinds: ReadonlyMap<string, Pick<Telling, 'compose'>>;
  /** messages of a notifier that begin in a second */
  perSecond: number;
  /**
   * Appends an event to a stream of the results log.
   *
   * @param since the earliest time at which it can have been stored before, milliseconds since 1970; null: it can't
   */
  append: (stream: string, event: NewEvent, since: number | null) => Promise<{ position: bigint }>;
  list: DeliveryList;
  /** Marks the end of the list's log. @returns the position of the mark: a list that has passed it holds all before */
  markList: () => Promise<number>;
  todo: TodoProjection;
  /** Up to which position of the log deliveries are to be dropped; 0: none are. */
  dropUpTo: () => Promise<number>;
  /** All of them are. */
  dropped: () => Promise<void>;
  /** Tells those who plan which targets hold up many messages. */
  heldUp: (targets: readonly string[]) => Promise<void>;
  /** called when a receiver has moved for good */
  chatMoved?: ChatMoved;
  observer?: DeliveryObserver;
}

/**
 * Sends planned messages, retries failed ones, and gives up those that can't be delivered. A message may reach its
 * target twice, under the same id, if the process died before it could note the delivery. The reactor begins once the
 * list has seen everything that was stored before, so nothing else is sent twice. Messages planned before it was first
 * active, as in an imported or restored log, are sent too while they are still worth sending.
 */
export const deliveryOf = (kinds: readonly (AnyCauseKind | DigestKind)[]): ReactorDefinition => ({
  name: DELIVERY,
  does: 'sends planned messages, retries failed ones, and gives up those that can not be delivered',
  countsEarlier: true,
  follows: [{ projection: deliveries, collections: ['due_deliveries'] }],
  waiting: (read) => dueWaiting(dueList(read(deliveries).due_deliveries)),
  begin: (context) => {
    const { clock, notifiers, perSecond, batches, coordination, read, handle, observer } = context;
    const causes = causeContextOf(context);
    const todo = context.todo(deliveries, 'due_deliveries');
    const { due_deliveries, held_deliveries } = read(deliveries);
    const work = deliveryWork({
      clock,
      notifiers,
      kinds: new Map(kinds.map(({ kind, tell }) => [kind, tell(causes)])),
      perSecond,
      append: (stream, event, since) => batches.store(stream, event, { since }),
      markList: () => context.mark(deliveries),
      todo,
      list: deliveryList(due_deliveries, held_deliveries),
      dropUpTo: () => droppedUpTo(coordination),
      dropped: () => droppedAll(coordination),
      heldUp: (targets) => tellHeldUp(coordination, targets),
      chatMoved: chatMovedBy({ handle }),
      ...(observer && { observer }),
    });
    return { name: DELIVERY, countsEarlier: true, todo, work };
  },
});

const deliveryWork = (dependencies: DeliveryDependencies): Work => {
  const { todo, list, perSecond, dropUpTo, dropped, heldUp, observer } = dependencies;
  return dispatchWork(DELIVERY, todo, list, deliver(dependencies), {
    limits: { perSecond, atOnce: AT_ONCE, atOnceToOne: AT_ONCE_TO_ONE },
    longest: LONGEST_PAUSE_MS,
    first: (wake) => seenAll(dependencies, wake),
    dropUpTo,
    dropped,
    heldUp: async (targets) => {
      observer?.heldUp(targets.length);
      await heldUp(targets);
    },
  });
};

/** Whether the list shows all that was stored before. */
const seenAll = ({ markList, todo }: DeliveryDependencies, wake: () => void): (() => Promise<boolean>) => {
  let mark: number | null = null;
  return async () => {
    if (mark === null) {
      mark = await markList();
      todo.passed(mark, wake);
    }
    return todo.folded() >= mark;
  };
};

/** The outcome of an attempt that may not be stored yet. */
interface Unstored {
  event: NewEvent;
  sign: Sign;
  trouble?: string;
  /** milliseconds since 1970 */
  since: number;
}

const deliver = (dependencies: DeliveryDependencies): Attempt => {
  const { clock, append } = dependencies;
  /** by item and the event that placed it: a sent message is not sent again because a store did not answer */
  const unstored = new Map<string, Unstored>();

  return async (item, context) => {
    const place = `${item.id} ${item.changed_position.toString()}`;
    const known = unstored.get(place);
    const since = clock();
    const outcome = known ?? (await outcomeOf(dependencies, item, context));
    if ('ending' in outcome) return outcome;
    const made = { since, ...outcome };
    unstored.set(place, made);
    const stream = streamOf('deliveries', shardOf(item));
    const { position } = await append(stream, made.event, known ? made.since : null);
    unstored.delete(place);
    return { ending: done(), stored: Number(position), sign: made.sign };
  };
};

type Outcome = Omit<Unstored, 'since'> | Attempted;

const outcomeOf = async (
  { clock, notifiers, kinds, observer, chatMoved }: DeliveryDependencies,
  item: DueDeliveryDocument,
  { signal, overtaken }: AttemptContext,
): Promise<Outcome> => {
  const begun = clock();
  const recorded = (event: DeliveryEvent, sign: Sign = 'nothing'): Outcome => ({
    event: newEvent(item, event, clock()),
    sign,
  });
  const why = overtaken();
  if (why) return recorded(giveUpDelivery(item, why));
  if (instantOf(begun) >= item.not_after) return recorded(giveUpDelivery(item, 'expired'));
  const notifier = notifiers.get(item.notifier);
  const kind = kinds.get(item.cause.kind);
  // Another release may have planned it: it waits for a process of that release until it expires.
  if (!notifier || !kind) {
    const reason = `This release does not deliver ${item.cause.kind} by ${item.notifier}.`;
    return { ending: againAt(begun + RELEASE_PAUSE_MS, reason), stored: null, sign: 'nothing' };
  }
  const composed = await kind.compose(item);
  if (!composed) return recorded(giveUpDelivery(item, 'withdrawn'));
  if ('notBefore' in composed) {
    // A mute may be ended, or be lengthened, meanwhile.
    const at = Math.min(millisecondsOf(composed.notBefore), begun + POSTPONED_MS);
    return { ending: againAt(at), stored: null, sign: 'nothing' };
  }
  const { message, settings } = composed;
  const started = performance.now();
  const sent = await notifier.send({ id: item.id, ...message }, settings, { signal });
  const { response_code, moved_to, ...tried } = sent;
  const duration = Math.round(performance.now() - started);
  const now = clock();
  if (moved_to !== undefined) await chatMoved?.(item, settings, moved_to, instantOf(now));
  if (tried.status === 'unavailable') {
    observer?.tried(item.notifier, 'unavailable', duration);
    const outOfOrderUntil = pauseUntil(tried.notBefore, now);
    const sign = { outOfOrderUntil };
    if (overtaken()) return recorded(giveUpDelivery(item, 'superseded'), sign);
    return { ending: againAt(outOfOrderUntil), stored: null, sign, trouble: tried.error_message };
  }
  const attempt = { number: item.attempt_count + 1, begun_at: instantOf(begun), duration, response_code };
  const event = recordAttempt(item, attempt, tried, { now: instantOf(now), superseded: overtaken() !== null });
  observer?.tried(item.notifier, OUTCOMES[event.type as keyof typeof OUTCOMES], duration);
  return recorded(event, isTargetAtFault({ ...tried, response_code }) ? 'failed' : 'answered');
};

/** Until when a relay that is out of order is left alone, milliseconds since 1970. */
const pauseUntil = (notBefore: Instant | null, now: number): number => {
  const wanted = notBefore === null ? 0 : millisecondsOf(notBefore) - now;
  return now + Math.max(RELAY_PAUSE_MS, Math.min(wanted, LONGEST_PAUSE_MS));
};

const OUTCOMES = {
  DeliverySucceeded: 'delivered',
  DeliveryAttemptFailed: 'failed',
  DeliveryGivenUp: 'given_up',
} as const;

/** Whether other messages to the same target should wait: it does not answer, or is overloaded. */
const isTargetAtFault = (sent: Judged & Pick<Sent, 'response_code'>): boolean =>
  sent.status === 'failed' && !sent.permanent && [null, 429, 503].includes(sent.response_code);

/** An attempt has one outcome: readers ignore another of the same number. */
const newEvent = (item: DueDeliveryDocument, event: DeliveryEvent, now: number): NewEvent => {
  const { id, organization_id: organizationId, cause, attempt_count, changed_position } = item;
  const attempt = 'attempt' in event.data && event.data.attempt;
  const which = attempt ? `attempt/${attempt_count.toString()}` : `end/${changed_position.toString()}`;
  return systemEvent(event, {
    id: derivedUuid(`${DELIVERY}/${id}/${which}`),
    by: DELIVERY,
    organizationId,
    causeId: cause.id,
    now: instantOf(now),
  });
};
