import { abandonDelivery, recordAttempt, type CompletedAttempt } from '../../domain/delivery/decide.ts';
import { shardOf, type DeliveryEvent } from '../../domain/delivery/events.ts';
import { MAX_RETRY_DELAY_MS } from '../../domain/delivery/schedule.ts';
import { streamOf } from '../../domain/decider.ts';
import type { NewEvent } from '../../domain/event.ts';
import { derivedUuid } from '../../domain/identity.ts';
import { systemEvent } from '../../domain/system-event.ts';
import { instantOf, millisecondsOf, type Instant } from '../../domain/time.ts';
import type { Notifier, SendOutcome } from '../../notifiers/notifier.ts';
import { deliveries, type DueDeliveryDocument } from '../../projections/deliveries/projection.ts';
import type { DeliveryObserver } from '../context.ts';
import type { ReactorDefinition } from '../engine/define.ts';
import { countDueItems } from '../engine/due.ts';
import { retryItemAt, done } from '../engine/item-result.ts';
import { dueList, type TodoProjection } from '../engine/lists.ts';
import type { Work } from '../engine/work.ts';
import type { AnyCauseKind, DigestKind, CauseHandlers } from './cause.ts';
import { createCauseContext } from './cause-context.ts';
import { createDispatchWork } from './dispatch.ts';
import { clearDropPosition, readDropPosition } from './dropped-deliveries.ts';
import { publishBackloggedTargets } from './backlogged-targets.ts';
import type { AttemptSignal } from './target-state.ts';
import { createDeliveryList } from './delivery-list.ts';
import { createChatMoved, type ChatMoved } from './moved-chat.ts';
import type { Attempt, AttemptContext, AttemptResult, DeliveryList } from './delivery-flow.ts';

export const DELIVERY = 'delivery';

/**
 * Maximum number of concurrent messages of a notifier. Many, because a message spends most of its time waiting for a
 * response.
 */
const AT_ONCE = 256;
/** Maximum number of concurrent messages to one target. */
const AT_ONCE_TO_ONE = 10;
/** Delay before the next attempt for a message that this release cannot deliver, because another release planned it. */
const RELEASE_PAUSE_MS = 60_000;

/** Maximum delay before a postponed message is composed again. */
const POSTPONED_MS = 60_000;

/** Pause after a relay was unavailable. A relay can request a longer pause. */
const RELAY_PAUSE_MS = 30_000;

export interface DeliveryDependencies {
  /** Returns milliseconds since 1970. */
  clock: () => number;
  notifiers: ReadonlyMap<string, Notifier>;
  /** handlers that compose messages, by the kind of the cause */
  kinds: ReadonlyMap<string, Pick<CauseHandlers, 'compose'>>;
  /** maximum number of messages that a notifier starts per second */
  perSecond: number;
  /**
   * Appends an event to a stream of the results log. If an earlier attempt might have stored the event, first looks for
   * the event in the log.
   *
   * @param since the earliest time at which an earlier attempt can have stored the event, in milliseconds since 1970;
   * null if there was no earlier attempt
   */
  append: (stream: string, event: NewEvent, since: number | null) => Promise<{ position: bigint }>;
  list: DeliveryList;
  /**
   * Appends a marker event, which changes no document, to the log of the list.
   *
   * @returns the position of the event. A list that has passed this position shows everything stored before the call
   */
  markList: () => Promise<number>;
  todo: TodoProjection;
  /** Returns the log position up to which deliveries must be dropped; 0 if none must be dropped. */
  dropUpTo: () => Promise<number>;
  /** Called after all deliveries up to the position `dropUpTo` were dropped. */
  dropped: () => Promise<void>;
  /** Reports the targets with a large backlog to the reactors that plan deliveries. */
  reportBacklog: (targets: readonly string[]) => Promise<void>;
  /** called when a response reports that the chat of a receiver has a new id */
  chatMoved?: ChatMoved;
  observer?: DeliveryObserver;
}

/**
 * Creates the reactor that sends planned messages, retries failed ones, and gives up on those that cannot be delivered.
 *
 * If a process dies after it sent a message and before it recorded that, the message is sent again with the same id. No
 * other message is sent twice, because the reactor waits until its list shows everything stored before its start.
 * Messages planned before the reactor was first active, for example in an imported log, are sent unless they expired.
 */
export const createDeliveryReactor = (kinds: readonly (AnyCauseKind | DigestKind)[]): ReactorDefinition => ({
  name: DELIVERY,
  does: 'sends planned messages, retries failed ones, and gives up on those that cannot be delivered',
  countsEarlier: true,
  follows: [{ projection: deliveries, collections: ['due_deliveries'] }],
  waiting: (read) => countDueItems(dueList(read(deliveries).due_deliveries)),
  begin: (context) => {
    const { clock, notifiers, perSecond, batches, coordination, read, handle, observer } = context;
    const causes = createCauseContext(context);
    const todo = context.todo(deliveries, 'due_deliveries');
    const { due_deliveries, held_deliveries } = read(deliveries);
    const work = deliveryWork({
      clock,
      notifiers,
      kinds: new Map(kinds.map(({ kind, bind }) => [kind, bind(causes)])),
      perSecond,
      append: (stream, event, since) => batches.store(stream, event, { since }),
      markList: () => context.markLogEnd(deliveries),
      todo,
      list: createDeliveryList(due_deliveries, held_deliveries),
      dropUpTo: () => readDropPosition(coordination),
      dropped: () => clearDropPosition(coordination),
      reportBacklog: (targets) => publishBackloggedTargets(coordination, targets),
      chatMoved: createChatMoved({ handle }),
      ...(observer && { observer }),
    });
    return { name: DELIVERY, countsEarlier: true, todo, work };
  },
});

const deliveryWork = (dependencies: DeliveryDependencies): Work => {
  const { todo, list, perSecond, dropUpTo, dropped, reportBacklog, observer } = dependencies;
  return createDispatchWork(DELIVERY, todo, list, deliver(dependencies), {
    limits: { perSecond, concurrency: AT_ONCE, concurrencyPerTarget: AT_ONCE_TO_ONE },
    longest: MAX_RETRY_DELAY_MS,
    first: (wake) => seenAll(dependencies, wake),
    dropUpTo,
    dropped,
    reportBacklog: async (targets) => {
      observer?.targetsBacklogged(targets.length);
      await reportBacklog(targets);
    },
  });
};

/** Returns a function that checks whether the list shows everything stored before the first call. */
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

/** The outcome of an attempt. The log might not contain it yet. */
interface Unstored {
  event: NewEvent;
  sign: AttemptSignal;
  trouble?: string;
  /** time before the attempt; the event cannot have been stored before this time; milliseconds since 1970 */
  since: number;
}

const deliver = (dependencies: DeliveryDependencies): Attempt => {
  const { clock, append } = dependencies;
  /**
   * Outcomes that are not stored yet, by item and by the position of the event that scheduled the item. If an outcome
   * could not be stored, the next attempt only stores the outcome and does not send the message again.
   */
  const unstored = new Map<string, Unstored>();

  return async (item, context) => {
    const place = `${item.id} ${item.changed_position}`;
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

type Outcome = Omit<Unstored, 'since'> | AttemptResult;

const outcomeOf = async (
  { clock, notifiers, kinds, observer, chatMoved }: DeliveryDependencies,
  item: DueDeliveryDocument,
  { signal, cancelReason }: AttemptContext,
): Promise<Outcome> => {
  const begun = clock();
  const recorded = (event: DeliveryEvent, sign: AttemptSignal = 'nothing'): Outcome => ({
    event: newEvent(item, event, clock()),
    sign,
  });
  const why = cancelReason();
  if (why) return recorded(abandonDelivery(item, why));
  if (instantOf(begun) >= item.not_after) return recorded(abandonDelivery(item, 'expired'));
  const notifier = notifiers.get(item.notifier);
  const kind = kinds.get(item.cause.kind);
  // Only another release knows this kind or notifier. Wait for a process of that release until the message expires.
  if (!notifier || !kind) {
    const reason = `This release does not deliver ${item.cause.kind} by ${item.notifier}.`;
    return { ending: retryItemAt(begun + RELEASE_PAUSE_MS, reason), stored: null, sign: 'nothing' };
  }
  const composed = await kind.compose(item);
  if (!composed) return recorded(abandonDelivery(item, 'withdrawn'));
  if ('notBefore' in composed) {
    // Compose the message again at least once a minute, because a user can end or extend the muting of the receiver in
    // the meantime.
    const at = Math.min(millisecondsOf(composed.notBefore), begun + POSTPONED_MS);
    return { ending: retryItemAt(at), stored: null, sign: 'nothing' };
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
    const sign = { unavailableUntil: outOfOrderUntil };
    if (cancelReason()) return recorded(abandonDelivery(item, 'superseded'), sign);
    return { ending: retryItemAt(outOfOrderUntil), stored: null, sign, trouble: tried.error_message };
  }
  const attempt = { number: item.attempt_count + 1, begun_at: instantOf(begun), duration, response_code };
  const event = recordAttempt(item, attempt, tried, { now: instantOf(now), superseded: cancelReason() !== null });
  observer?.tried(item.notifier, OUTCOMES[event.type as keyof typeof OUTCOMES], duration);
  return recorded(event, isTargetAtFault({ ...tried, response_code }) ? 'failed' : 'answered');
};

/** Returns when the pause of an unavailable relay ends, in milliseconds since 1970. */
const pauseUntil = (notBefore: Instant | null, now: number): number => {
  const wanted = notBefore === null ? 0 : millisecondsOf(notBefore) - now;
  return now + Math.max(RELAY_PAUSE_MS, Math.min(wanted, MAX_RETRY_DELAY_MS));
};

const OUTCOMES = {
  DeliverySucceeded: 'delivered',
  DeliveryAttemptFailed: 'failed',
  DeliveryGivenUp: 'given_up',
} as const;

/** Returns whether other messages to the target should wait, because it does not respond or is overloaded. */
const isTargetAtFault = (sent: CompletedAttempt & Pick<SendOutcome, 'response_code'>): boolean =>
  sent.status === 'failed' && !sent.permanent && [null, 429, 503].includes(sent.response_code);

/**
 * Returns the event to append. The id of an event about an attempt derives from the number of the attempt, so readers
 * ignore a second event about the same attempt. The id of another event derives from the latest change of the delivery.
 */
const newEvent = (item: DueDeliveryDocument, event: DeliveryEvent, now: number): NewEvent => {
  const { id, organization_id: organizationId, cause, attempt_count, changed_position } = item;
  const attempt = 'attempt' in event.data && event.data.attempt;
  const which = attempt ? `attempt/${attempt_count}` : `end/${changed_position}`;
  return systemEvent(event, {
    id: derivedUuid(`${DELIVERY}/${id}/${which}`),
    by: DELIVERY,
    organizationId,
    causeId: cause.id,
    now: instantOf(now),
  });
};
