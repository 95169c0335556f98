import { unreachable, type Decider } from '../decider.ts';
import { lifecycleOf } from '../existence.ts';
import type { Instant } from '../time.ts';
import type { AlertEvent } from './events.ts';

/** An alert that has not been resolved. */
export interface ActiveAlert {
  status: 'firing' | 'acknowledged';
  id: string;
  firedAt: Instant;
}

/** A resolved alert. */
export interface ResolvedAlert {
  status: 'resolved';
  id: string;
  /** whether a person resolved the alert and the condition has not ended since then */
  holdsStill: boolean;
}

export type Alert = { status: 'absent' } | ActiveAlert | ResolvedAlert;

export const { existing, onExisting } = lifecycleOf<Alert>('alert');

export const isActive = (alert: Alert): alert is ActiveAlert =>
  alert.status === 'firing' || alert.status === 'acknowledged';

const evolve = (alert: Alert, event: AlertEvent): Alert => {
  switch (event.type) {
    case 'AlertFired':
      return { status: 'firing', id: event.data.alert_id, firedAt: event.data.fired_at };
    case 'AlertAcknowledged':
      return onExisting(alert, (there) => (isActive(there) ? { ...there, status: 'acknowledged' } : there));
    case 'AlertResolved':
      return onExisting(alert, ({ id }) => ({
        status: 'resolved',
        id,
        holdsStill: event.data.resolution === 'manual',
      }));
    case 'AlertConditionEnded':
      return onExisting(alert, (there) => (there.status === 'resolved' ? { ...there, holdsStill: false } : there));
    case 'AlertMuteEnded':
      return alert;
    default:
      return unreachable(event);
  }
};

export const alertDecider: Decider<Alert, AlertEvent> = {
  category: 'alert',
  initialState: { status: 'absent' },
  evolve,
};
