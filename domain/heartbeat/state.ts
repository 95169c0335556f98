import type { EventOf } from '../event-types.ts';
import { unreachable, type Decider } from '../decider.ts';
import type { Timing } from '../heartbeat-pings/events.ts';
import { lifecycleOf } from '../existence.ts';
import type { Instant } from '../time.ts';
import type { HeartbeatEvent, HeartbeatFields } from './events.ts';
import { changesTiming, timingOf } from './expectation.ts';

/** The current downtime of a heartbeat. */
export type HeartbeatDown = Omit<EventOf<'HeartbeatWentDown'>['data'], 'heartbeat_id'>;

/** A heartbeat that exists. */
export interface LiveHeartbeat {
  id: string;
  fields: HeartbeatFields;
  timing: Timing;
  /** when the heartbeat was created or last resumed; earlier pings do not count */
  active_since: Instant;
  /** null if the heartbeat is not down */
  down: HeartbeatDown | null;
  /** how often the heartbeat has gone down */
  times_down: number;
  /** when the ping that ended the most recent downtime was received */
  recovered_at: Instant | null;
}

export type Heartbeat = { status: 'absent' } | ({ status: 'live' } & LiveHeartbeat) | { status: 'deleted' };

export const { existing, requireAbsent, onExisting } = lifecycleOf<Heartbeat>('heartbeat');

/** Returns a heartbeat with changed fields. Pausing a heartbeat ends its downtime. */
export const changedHeartbeat = <H extends Pick<LiveHeartbeat, 'fields' | 'timing' | 'down'>>(
  heartbeat: H,
  { changes, changed_at }: Pick<EventOf<'HeartbeatUpdated'>['data'], 'changes' | 'changed_at'>,
): H => {
  const fields = { ...heartbeat.fields, ...changes };
  const { timing, down } = heartbeat;
  return {
    ...heartbeat,
    fields,
    down: fields.active ? down : null,
    ...(changesTiming(changes) && { timing: timingOf(fields, timing.number + 1, changed_at) }),
  };
};

const evolve = (heartbeat: Heartbeat, event: HeartbeatEvent): Heartbeat => {
  switch (event.type) {
    case 'HeartbeatCreated': {
      const { heartbeat_id: id, created_at, heartbeat: fields } = event.data;
      const timing = timingOf(fields, 1, created_at);
      return {
        status: 'live',
        id,
        fields,
        timing,
        active_since: created_at,
        down: null,
        times_down: 0,
        recovered_at: null,
      };
    }
    case 'HeartbeatUpdated':
      return onExisting(heartbeat, (live) => ({
        ...changedHeartbeat(live, event.data),
        ...(event.data.changes.active === true && { active_since: event.data.changed_at }),
      }));
    case 'HeartbeatDeleted':
      return { status: 'deleted' };
    case 'HeartbeatWentDown':
      return onExisting(heartbeat, (live) => ({ ...live, down: event.data, times_down: event.data.number }));
    case 'HeartbeatRecovered':
      return onExisting(heartbeat, (live) => ({ ...live, down: null, recovered_at: event.data.recovered_at }));
    default:
      return unreachable(event);
  }
};

export const heartbeatDecider: Decider<Heartbeat, HeartbeatEvent> = {
  category: 'heartbeat',
  initialState: { status: 'absent' },
  evolve,
};
