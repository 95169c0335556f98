import { causeKey, type Cause } from '../../domain/delivery/events.ts';
import { systemClock } from '../../network/clock.ts';
import type { Notifier } from '../../notifiers/notifier.ts';
import { deliveries } from '../../projections/deliveries/projection.ts';
import { markLog } from '../../projections/engine/feed/log-marks.ts';
import type { AnyProjection } from '../../projections/engine/fold/define.ts';
import type { Readers } from '../../projections/engine/readers.ts';
import type { AnyCauseKind } from '../../reactors/delivery/cause.ts';
import { deliveryReactor, type DeliveryDependencies, type DeliveryObserver } from '../../reactors/delivery/deliver.ts';
import { digestsReactor } from '../../reactors/delivery/digests.ts';
import { droppedAll, droppedUpTo } from '../../reactors/delivery/drop.ts';
import { fanOutReactor } from '../../reactors/delivery/fan-out.ts';
import type { ChatMoved } from '../../reactors/delivery/moved-chat.ts';
import { deliveryList, plannedAhead } from '../../reactors/delivery/list.ts';
import { dueList, type TodoProjection } from '../../reactors/engine/lists.ts';
import type { Reactor } from '../../reactors/engine/loop.ts';
import type { Coordination } from '../../stores/coordination/port.ts';
import { sharedly } from './sharedly.ts';
import { createBatches } from '../../stores/event-store/batches.ts';
import type { EventStore } from '../../stores/event-store/port.ts';

/** How long an outcome waits for others that share an append, milliseconds; 500 at most (stores/event-store/batches.ts). */
const SHARED_APPENDS = { wait: 5 };

/** The value that says which targets hold up many messages, for processes that plan. */
const HELD_UP = 'delivery-targets-held-up';

export interface DeliveriesOptions {
  /** the results log */
  results: EventStore;
  /** Marks the end of the results log for the list of deliveries. */
  markList: DeliveryDependencies['markList'];
  readers: Pick<Readers, 'for'>;
  coordination: Pick<Coordination, 'read' | 'write'>;
  todo: (projection: AnyProjection) => TodoProjection;
  notifiers: ReadonlyMap<string, Notifier>;
  /** what deliveries are planned for */
  kinds: readonly AnyCauseKind[];
  /** what stands for several of them */
  digestKinds?: readonly Pick<AnyCauseKind, 'kind' | 'compose'>[];
  /** messages of a notifier that begin in a second */
  perSecond: number;
  /** milliseconds since 1970 */
  clock: () => number;
  /** called when a receiver has moved for good */
  chatMoved?: ChatMoved;
  observer?: DeliveryObserver;
}

/** The reactors that plan deliveries, one for each kind of causes, and the one that delivers. */
export const deliveryReactors = (options: DeliveriesOptions): Reactor[] => {
  const {
    results,
    markList,
    readers,
    coordination,
    todo,
    notifiers,
    kinds,
    digestKinds = [],
    perSecond,
    clock,
    observer,
    chatMoved,
  } = options;
  const batches = createBatches({ log: results, after: systemClock.after, limits: SHARED_APPENDS });
  const { due_deliveries: due, held_deliveries: held } = readers.for({ appended: new Map() })(deliveries);
  const mark = sharedly(() => markLog(results, clock()));
  /** A reader that has passed the mark has seen every page that was stored before it. */
  const progress = async (cause: Cause) => {
    const position = await mark();
    return readers
      .for({ appended: new Map([[results.name, position]]) })(deliveries)
      .fan_outs.get(causeKey(cause));
  };
  const ahead = async (organizationId: string): Promise<number> =>
    plannedAhead(due, organizationId, JSON.parse((await coordination.read(HELD_UP)) || '[]') as string[]);
  return [
    ...kinds.map((kind) =>
      fanOutReactor(kind, {
        clock,
        progress,
        ahead,
        append: (stream, events) => results.append(stream, events, 'any'),
      }),
    ),
    digestsReactor({
      results,
      list: ({ appended }) => dueList(readers.for({ appended })(deliveries).due_digests),
      held: ({ appended }) => readers.for({ appended })(deliveries).held_deliveries,
      todo: todo(deliveries),
    }),
    deliveryReactor({
      clock,
      notifiers,
      kinds: [...kinds, ...digestKinds],
      perSecond,
      append: (stream, event, since) => batches.store(stream, event, { since }),
      markList,
      todo: todo(deliveries),
      list: deliveryList(due, held),
      dropUpTo: () => droppedUpTo(coordination),
      dropped: () => droppedAll(coordination),
      heldUp: (targets) => coordination.write(HELD_UP, JSON.stringify(targets)),
      ...(chatMoved && { chatMoved }),
      ...(observer && { observer }),
    }),
  ];
};
