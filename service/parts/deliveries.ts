import { causeKey, type Cause } from '../../domain/delivery/events.ts';
import { systemClock } from '../../network/clock.ts';
import type { Notifier } from '../../notifiers/notifier.ts';
import { deliveries } from '../../projections/deliveries/projection.ts';
import { markLog } from '../../projections/engine/feed/log-marks.ts';
import type { AnyProjection } from '../../projections/engine/fold/define.ts';
import type { Readers } from '../../projections/engine/readers.ts';
import type { AnyCauseKind } from '../../reactors/delivery/cause.ts';
import {
  AT_ONCE,
  deliveryReactor,
  type DeliveryDependencies,
  type DeliveryObserver,
} from '../../reactors/delivery/deliver.ts';
import { fanOutReactor } from '../../reactors/delivery/fan-out.ts';
import { dueList, type TodoProjection } from '../../reactors/engine/lists.ts';
import type { Reactor } from '../../reactors/engine/loop.ts';
import { createBatches } from '../../stores/event-store/batches.ts';
import type { EventStore } from '../../stores/event-store/port.ts';

/**
 * When outcomes are appended that share an append: they come soon after each other, in few streams, and half of the
 * messages that are under way can wait for the other half.
 */
const SHARED_APPENDS = { enough: AT_ONCE / 2, wait: 5 };

export interface DeliveriesOptions {
  /** the results log */
  results: EventStore;
  /** Marks the end of the results log for the list of deliveries. */
  markList: DeliveryDependencies['markList'];
  readers: Pick<Readers, 'for'>;
  todo: (projection: AnyProjection) => TodoProjection;
  notifiers: ReadonlyMap<string, Notifier>;
  /** what deliveries are planned for */
  kinds: readonly AnyCauseKind[];
  /** milliseconds since 1970 */
  clock: () => number;
  observer?: DeliveryObserver;
}

/** The reactors that plan deliveries, one for each kind of causes, and the one that delivers. */
export const deliveryReactors = (options: DeliveriesOptions): Reactor[] => {
  const { results, markList, readers, todo, notifiers, kinds, clock, observer } = options;
  const batches = createBatches({ log: results, after: systemClock.after, limits: SHARED_APPENDS });
  /** A reader that has passed the mark has seen every page that was stored before it. */
  const progress = async (cause: Cause) => {
    const position = await markLog(results, clock());
    return readers
      .for({ appended: new Map([[results.name, position]]) })(deliveries)
      .fan_outs.get(causeKey(cause));
  };
  return [
    ...kinds.map((kind) =>
      fanOutReactor(kind, { clock, progress, append: (stream, events) => results.append(stream, events, 'any') }),
    ),
    deliveryReactor({
      clock,
      notifiers,
      kinds,
      log: results,
      append: (stream, event, since) => batches.store(stream, event, { since }),
      markList,
      todo: todo(deliveries),
      list: ({ appended }) => dueList(readers.for({ appended })(deliveries).due_deliveries),
      ...(observer && { observer }),
    }),
  ];
};
