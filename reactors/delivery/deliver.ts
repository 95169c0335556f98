import { expireDelivery, recordAttempt, withdrawDelivery, type Judged } from '../../domain/delivery/decide.ts';
import { shardOf, type DeliveryEvent } from '../../domain/delivery/events.ts';
import { LONGEST_PAUSE_MS } from '../../domain/delivery/schedule.ts';
import { streamOf } from '../../domain/decider.ts';
import type { NewEvent } from '../../domain/event.ts';
import { derivedUuid } from '../../domain/identity.ts';
import { systemEvent } from '../../domain/system-event.ts';
import { instantOf, millisecondsOf, type Instant } from '../../domain/time.ts';
import { noteAppended, type Appended, type Noted } from '../../commands/appended.ts';
import type { Notifier, Sent } from '../../notifiers/notifier.ts';
import type { DueDeliveryDocument } from '../../projections/deliveries/projection.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { dueWork, type DueContext } from '../engine/due.ts';
import { againAt, done, type Ending } from '../engine/ending.ts';
import type { DueList, TodoProjection } from '../engine/lists.ts';
import type { Reactor } from '../engine/loop.ts';
import type { CauseKind } from './cause.ts';

export const DELIVERY = 'delivery';

/** Messages sent at once: each may look up a name, which takes one of the 64 threads for that. */
export const AT_ONCE = 32;
/** Messages sent at once to one target: a slow one must not take the places of all others. */
const AT_ONCE_TO_ONE = 4;
/** How often this release checks whether it can deliver what another release planned. */
const RELEASE_PAUSE_MS = 60_000;

/** What is reported about each attempt. */
export interface DeliveryObserver {
  tried: (notifier: string, outcome: 'delivered' | 'failed' | 'given_up', milliseconds: number) => void;
}

export interface DeliveryDependencies {
  /** milliseconds since 1970 */
  clock: () => number;
  notifiers: ReadonlyMap<string, Notifier>;
  kinds: readonly Pick<CauseKind, 'kind' | 'compose'>[];
  /** the results log */
  log: Pick<EventStore, 'name'>;
  /**
   * Appends an event to a stream of the results log.
   *
   * @param since the earliest time at which it can have been stored before, milliseconds since 1970; null: it can't
   */
  append: (stream: string, event: NewEvent, since: number | null) => Promise<{ position: bigint }>;
  list: (context: { appended: Noted }) => DueList<DueDeliveryDocument>;
  /** Marks the end of the list's log. @returns the position of the mark: a list that has passed it holds all before */
  markList: () => Promise<number>;
  todo: TodoProjection;
  observer?: DeliveryObserver;
}

/**
 * Sends planned messages, retries failed ones, and gives up those that can't be delivered. A message may reach its
 * target twice, under the same id, if the process died before it could note the delivery. The reactor begins once the
 * list has seen everything that was stored before, so nothing else is sent twice. Messages planned before it was first
 * active, as in an imported or restored log, are sent too while they are still worth sending.
 */
export const deliveryReactor = (dependencies: DeliveryDependencies): Reactor => {
  const { todo, list } = dependencies;
  return {
    name: DELIVERY,
    countsEarlier: true,
    todo,
    work: dueWork(DELIVERY, todo, list, deliver(dependencies), {
      atOnce: AT_ONCE,
      targets: { of: ({ target }) => target, atOnce: AT_ONCE_TO_ONE },
      longest: LONGEST_PAUSE_MS,
      first: () => seenAll(dependencies),
    }),
  };
};

/** Waits until the list shows all that was stored before. */
const seenAll = ({ markList, todo }: DeliveryDependencies): (() => Promise<[] | null>) => {
  let mark: number | null = null;
  return async () => {
    mark ??= await markList();
    return todo.folded() < mark ? null : [];
  };
};

/** The outcome of an attempt that may not be stored yet. */
interface Unstored {
  event: NewEvent;
  targetFailed: boolean;
  /** milliseconds since 1970 */
  since: number;
}

const deliver = (
  dependencies: DeliveryDependencies,
): ((item: DueDeliveryDocument, context: DueContext) => Promise<Ending>) => {
  const { clock, append, log } = dependencies;
  /** by item and the event that placed it: a sent message is not sent again because a store did not answer */
  const unstored = new Map<string, Unstored>();

  const store = async (
    item: DueDeliveryDocument,
    { event, targetFailed, since }: Unstored,
    appended: Appended,
    again: boolean,
  ): Promise<Ending> => {
    const { position } = await append(streamOf('deliveries', shardOf(item)), event, again ? since : null);
    noteAppended(appended, log.name, [event], position);
    return done({ targetFailed });
  };

  return async (item, { signal, appended }) => {
    const place = `${item.id} ${item.changed_position.toString()}`;
    const known = unstored.get(place);
    const since = clock();
    const outcome = known ?? (await outcomeOf(dependencies, item, signal));
    if ('end' in outcome) return outcome;
    const made = { since, ...outcome };
    unstored.set(place, made);
    const ending = await store(item, made, appended, known !== undefined);
    unstored.delete(place);
    return ending;
  };
};

const outcomeOf = async (
  { clock, notifiers, kinds, observer }: DeliveryDependencies,
  item: DueDeliveryDocument,
  signal: AbortSignal,
): Promise<Omit<Unstored, 'since'> | Ending> => {
  const begun = clock();
  const recorded = (event: DeliveryEvent, targetFailed = false): Omit<Unstored, 'since'> => ({
    event: newEvent(item, event, clock()),
    targetFailed,
  });
  if (instantOf(begun) >= item.not_after) return recorded(expireDelivery(item));
  const notifier = notifiers.get(item.notifier);
  const kind = kinds.find((candidate) => candidate.kind === item.cause.kind);
  // Another release may have planned it: it waits for a process of that release until it expires.
  if (!notifier || !kind) {
    return againAt(begun + RELEASE_PAUSE_MS, `This release does not deliver ${item.cause.kind} by ${item.notifier}.`);
  }
  const composed = await kind.compose(item);
  if (!composed) return recorded(withdrawDelivery(item));
  const { message, settings } = composed;
  const started = performance.now();
  const { response_code, ...tried } = await notifier.send({ id: item.id, ...message }, settings, { signal });
  const duration = Math.round(performance.now() - started);
  if (tried.status === 'unavailable') return relayFailed(tried.notBefore, clock());
  const attempt = { number: item.attempt_count + 1, begun_at: instantOf(begun), duration, response_code };
  const event = recordAttempt(item, attempt, tried, instantOf(clock()));
  observer?.tried(item.notifier, OUTCOMES[event.type as keyof typeof OUTCOMES], duration);
  return recorded(event, isTargetAtFault({ ...tried, response_code }));
};

/** How long a relay that is out of order is left alone, unless it says more. */
const RELAY_PAUSE_MS = 30_000;

/** The relay itself failed: its deliveries wait, and that was no attempt. */
const relayFailed = (notBefore: Instant | null, now: number): Ending => {
  const wanted = notBefore === null ? 0 : millisecondsOf(notBefore) - now;
  return againAt(now + Math.max(RELAY_PAUSE_MS, Math.min(wanted, LONGEST_PAUSE_MS)), null, { targetFailed: true });
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
