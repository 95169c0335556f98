import type { HeartbeatEvent, HeartbeatFields } from '../../../domain/heartbeat/events.ts';
import type { HeartbeatPinged, Timing } from '../../../domain/heartbeat-pings/events.ts';
import { expectation } from '../../../domain/heartbeat/expectation.ts';

export const HEARTBEAT = 'beat00000001';
export const ORGANIZATION = 'org000000001';
/** the creation time of the heartbeat */
export const NOON = '2026-11-20T12:00:00.000000';

/** Returns a time on 20 November 2026, such as `at('13:30')`. */
export const at = (clock: string): string => `2026-11-20T${clock.padEnd(8, ':00')}.000000`;

export const fields = (changes: Partial<HeartbeatFields> = {}): HeartbeatFields => ({
  name: 'Backup',
  period_seconds: 3_600,
  schedule: null,
  time_zone: 'UTC',
  grace_seconds: 600,
  max_duration: null,
  active: true,
  channel_ids: [],
  tags: [],
  ...changes,
});

export const timing = (changes: Partial<Timing> = {}): Timing => {
  const { period_seconds, schedule, time_zone, grace_seconds, max_duration } = fields();
  return { period_seconds, schedule, time_zone, grace_seconds, max_duration, number: 1, from: NOON, ...changes };
};

/** Returns a ping at a time on 20 November 2026, received while the heartbeat had the given timing. */
export const ping = (clock: string, changes: Partial<HeartbeatPinged> = {}, by = timing()): HeartbeatPinged => {
  const { expected_at, late_at } = expectation(by, at(clock));
  return {
    ping_id: `ping${clock.replaceAll(':', '').padEnd(8, '0')}`,
    heartbeat_id: HEARTBEAT,
    organization_id: ORGANIZATION,
    kind: 'success',
    received_at: at(clock),
    timing: by.number,
    expected_at,
    down_at: late_at,
    ...(by.max_duration !== null && { max_duration: by.max_duration }),
    ...changes,
  };
};

export const created = (changes: Partial<HeartbeatFields> = {}): HeartbeatEvent => ({
  type: 'HeartbeatCreated',
  data: { heartbeat_id: HEARTBEAT, created_at: NOON, heartbeat: fields(changes) },
});

export const updated = (clock: string, changes: Partial<HeartbeatFields>): HeartbeatEvent => {
  const names = Object.keys(changes) as (keyof HeartbeatFields)[];
  const previous = Object.fromEntries(names.map((name) => [name, fields()[name]]));
  return { type: 'HeartbeatUpdated', data: { heartbeat_id: HEARTBEAT, changed_at: at(clock), changes, previous } };
};

export const wentDown: HeartbeatEvent = {
  type: 'HeartbeatWentDown',
  data: {
    heartbeat_id: HEARTBEAT,
    number: 1,
    down_at: at('14:10'),
    because: 'late',
    ping_id: ping('13:00').ping_id,
    last_ping_at: at('13:00'),
  },
};

export const recovered: HeartbeatEvent = {
  type: 'HeartbeatRecovered',
  data: {
    heartbeat_id: HEARTBEAT,
    number: 1,
    recovered_at: at('14:30'),
    ping_id: ping('14:30').ping_id,
    duration: 1_200,
  },
};
