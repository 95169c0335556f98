import type { RecordedEventOf } from '../../domain/event-types.ts';
import type { ComponentStatus } from '../../domain/page/component-status.ts';
import type { Instant } from '../../domain/time.ts';
import { collection, defineProjection, type Model } from '../engine/fold/define.ts';

/** A current or past hold. Until the hold is released, the alert determines the status of a component. */
export interface AlertHold {
  page_id: string;
  component_id: string;
  status: ComponentStatus;
  held_at: Instant;
  /** Null while the hold continues. */
  released_at: Instant | null;
}

/**
 * The components that an alert with channels holds. These documents are the to-do list of the reactor that sets the
 * holds. They also record which holds the reactor has set.
 */
export interface AlertHoldsDocument {
  /** Id of the alert. */
  id: string;
  organization_id: string;
  channel_ids: readonly string[];
  fired_at: Instant;
  /** Null while the alert is active. */
  resolved_at: Instant | null;
  /** Holds of the alert, at most one per component. */
  holds: readonly AlertHold[];
  /** Position of the newest event that fired the alert, resolved it, or ended its mute. */
  changed_position: number;
}

type Holding = RecordedEventOf<'ComponentHeld' | 'ComponentReleased'>;

/** Folds the hold or release of a component into the document of its alert. */
const onHold = (
  { data: { holder, component_id } }: Holding,
  alerts: Model<AlertHoldsDocument>,
  changed: (before: AlertHold | undefined) => AlertHold | undefined,
): void => {
  const alert = alerts.get(holder);
  const after = changed(alert?.holds.find((hold) => hold.component_id === component_id));
  if (!alert || !after) return;
  const others = alert.holds.filter((hold) => hold.component_id !== component_id);
  alerts.put({ ...alert, holds: [...others, after] });
};

/** Alerts with the components that they hold (reactors/alerts/component-holds.ts). */
export const alertHolds = defineProjection({
  name: 'alert_holds',
  version: 1,
  log: 'main',
  collections: { alert_holds: collection<AlertHoldsDocument>({ indexes: [{ changed_position: 1 }] }) },
  documents: ({ data }) => ({ alert_holds: ['holder' in data ? data.holder : data.alert_id] }),
  on: {
    AlertFired: ({ data, position }, { alert_holds }) => {
      const { alert_id: id, organization_id, channel_ids, fired_at } = data;
      // An alert without channels holds no component.
      if (channel_ids.length === 0) return;
      const changed_position = Number(position);
      alert_holds.put({ id, organization_id, channel_ids, fired_at, resolved_at: null, holds: [], changed_position });
    },
    AlertResolved: ({ data: { alert_id, resolved_at }, position }, { alert_holds }) => {
      const alert = alert_holds.get(alert_id);
      if (alert) alert_holds.put({ ...alert, resolved_at, changed_position: Number(position) });
    },
    // While an alert is muted, it holds no component. When the mute ends, the reactor must therefore handle the alert
    // again.
    AlertMuteEnded: ({ data: { alert_id }, position }, { alert_holds }) => {
      const alert = alert_holds.get(alert_id);
      if (alert) alert_holds.put({ ...alert, changed_position: Number(position) });
    },
    ComponentHeld: (event, { alert_holds }) => {
      const { page_id, component_id, status, held_at } = event.data;
      onHold(event, alert_holds, () => ({ page_id, component_id, status, held_at, released_at: null }));
    },
    ComponentReleased: (event, { alert_holds }) => {
      const { released_at } = event.data;
      onHold(event, alert_holds, (before) => before && { ...before, released_at });
    },
  },
});
