import type { CommandDependencies } from '../../commands/dependencies.ts';
import { SYSTEM_RULE } from '../../domain/alert/identity.ts';
import { alertHolds } from '../../projections/alert-holds/projection.ts';
import { alerts } from '../../projections/alerts/projection.ts';
import type { AnyProjection } from '../../projections/engine/fold/define.ts';
import type { Readers } from '../../projections/engine/readers.ts';
import type { Read } from '../../projections/readers.ts';
import { suspectRunners } from '../../projections/suspect-runners/projection.ts';
import { shownOn } from '../../queries/alerts/alert-holds.ts';
import { alertHoldsReactor } from '../../reactors/alerts/holds.ts';
import { alertRulesReactor } from '../../reactors/alerts/judge.ts';
import { ownOutagesReactor } from '../../reactors/alerts/own-outages.ts';
import { raisedAlertsReactor } from '../../reactors/alerts/raised.ts';
import { changeList, type TodoProjection } from '../../reactors/engine/lists.ts';
import type { Reactor } from '../../reactors/engine/loop.ts';
import type { EventStore } from '../../stores/event-store/port.ts';

export interface AlertReactorsOptions extends Pick<CommandDependencies, 'handle'> {
  /** milliseconds since 1970 */
  clock: () => number;
  /** of the organization that alerts of the service itself belong to */
  organizationId: string;
  /** the results log */
  results: EventStore;
  readers: Pick<Readers, 'for' | 'sure'>;
  read: Read;
  todo: (projection: AnyProjection) => TodoProjection;
}

/** What lets alerts fire and ends them, and what follows from them but for messages. */
export const alertReactors = (options: AlertReactorsOptions): Reactor[] => {
  const { handle, clock, organizationId, results, readers, read, todo } = options;
  const readAfter = (position: number): Read => readers.for({ appended: new Map([['main', BigInt(position)]]) });
  return [
    alertHoldsReactor({
      handle,
      clock,
      todo: todo(alertHolds),
      list: changeList(read(alertHolds).alert_holds),
      now: (id, { appended }) => readers.for({ appended })(alertHolds).alert_holds.get(id),
      // An alert whose channels are missing would never be shown.
      shownOn: ({ organization_id, channel_ids, changed_position }) =>
        shownOn(readAfter(changed_position), organization_id, channel_ids),
    }),
    ownOutagesReactor({
      handle,
      clock,
      organizationId,
      todo: todo(suspectRunners),
      list: changeList(read(suspectRunners).suspect_runners),
      suspects: () => read(suspectRunners).suspect_runners.find({ where: { suspect: true } }),
      // Counted from 0 again, its alerts would have the ids of earlier ones.
      lastNumber: async () => (await readers.sure(alerts).alert_standings.get(SYSTEM_RULE))?.number ?? 0,
    }),
    raisedAlertsReactor({
      log: results,
      clock,
      todo: todo(alerts),
      list: changeList(read(alerts).raised_alerts),
    }),
    alertRulesReactor({
      handle,
      read,
      readAfter,
      todo,
    }),
  ];
};
