import { pingHourOf } from '../../domain/heartbeat-pings/hours.ts';
import type { HeartbeatPinged, PingKind } from '../../domain/heartbeat-pings/events.ts';
import {
  afterPing,
  afterRescheduling,
  downAtOf,
  durationOf,
  INITIAL_PING_STATE,
  STORED_WITHIN,
  type PingState,
} from '../../domain/heartbeat-pings/state.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import { publicNameOf } from '../../domain/heartbeat/identity.ts';
import { secondsLater } from '../../domain/heartbeat/expectation.ts';
import type { Sealed } from '../../domain/sealed.ts';
import { before, CLOCKS_DIFFER_MS, type Instant } from '../../domain/time.ts';
import { collection, defineProjection, type Model } from '../engine/fold/define.ts';

/** A ping. */
export interface PingDocument {
  id: string;
  heartbeat_id: string;
  organization_id: string;
  kind: PingKind;
  received_at: Instant;
  /** Milliseconds since the start of the run. Null if the start is unknown, or if this ping reports the start. */
  duration: number | null;
  client_address: Sealed | null;
  user_agent: Sealed | null;
  /** Data in stored form (`escaped` in domain/sealed.ts). Null if no data was sent. */
  ping_data: unknown;
}

/** The number of pings of a heartbeat in an hour. */
export interface PingHourDocument {
  /** `{heartbeat id}/{hour}` */
  id: string;
  heartbeat_id: string;
  /** First instant of the hour. */
  hour: Instant;
  ping_count: number;
}

/** The state of a heartbeat that follows from its pings. */
export interface HeartbeatStateDocument extends PingState {
  /** derived id of the heartbeat (domain/heartbeat/identity.ts) */
  id: string;
  heartbeat_id: string;
  organization_id: string;
  /** Time at which the newest event of the heartbeat was recorded. */
  kept_at: Instant;
  /** Id of the newest event that has recorded the heartbeat's schedule, to detect duplicates. Null if there is none. */
  said_by: string | null;
  changed_position: number;
}

/**
 * A heartbeat that goes down if no ping arrives: an item of the list of the reactor that marks it as down
 * (reactors/heartbeats/lateness.ts).
 */
export interface AwaitedHeartbeatDocument {
  id: string;
  organization_id: string;
  /** Time at which the heartbeat is late or its state must be recorded again, whichever is earlier. */
  due_at: Instant;
  kept_at: Instant;
  changed_position: number;
}

/**
 * A heartbeat whose newest run had a different outcome than the run before it: an item of the list of the reactor that
 * records the change.
 */
export interface HeartbeatVerdictDocument {
  id: string;
  organization_id: string;
  kept_at: Instant;
  /** position of the ping with the different outcome */
  changed_position: number;
}

/**
 * The state of a heartbeat is recorded again after this time, in seconds. The retention of the log `results` can be as
 * short as one day, so the state must be recorded again long before its event is removed.
 */
const RECORDED_AGAIN_AFTER = 12 * 3_600;

interface Models {
  heartbeat_standings: Model<HeartbeatStateDocument>;
  awaited_heartbeats: Model<AwaitedHeartbeatDocument>;
}

const put = (
  ids: { heartbeat_id: string; organization_id: string },
  state: PingState,
  { position, metadata: { recorded_at: kept_at } }: Pick<RecordedEvent, 'position' | 'metadata'>,
  said_by: string | null,
  { heartbeat_standings, awaited_heartbeats }: Models,
): void => {
  const { organization_id } = ids;
  const id = publicNameOf(ids.heartbeat_id);
  const changed_position = Number(position);
  heartbeat_standings.put({ id, ...ids, ...state, kept_at, said_by, changed_position });
  const down = downAtOf(state);
  if (!down) {
    awaited_heartbeats.delete(id);
    return;
  }
  const late = secondsLater(down.at, STORED_WITHIN);
  const again = secondsLater(kept_at, RECORDED_AGAIN_AFTER);
  awaited_heartbeats.put({ id, organization_id, due_at: late < again ? late : again, kept_at, changed_position });
};

/**
 * Tests whether a ping might end a period in which the heartbeat was down. This is impossible if the previous run has
 * succeeded and, according to all schedules that were in effect, the heartbeat cannot have been late after that run.
 */
const mayEndDown = (
  before_: HeartbeatStateDocument | undefined,
  { received_at, while_down }: Pick<HeartbeatPinged, 'received_at' | 'while_down'>,
): boolean => {
  if (while_down || !before_?.verdict || before_.verdict.because !== null || before_.down_from === null) return true;
  // Because clocks differ, a ping can be late although its time is before the deadline.
  return received_at >= before(before_.down_from, CLOCKS_DIFFER_MS);
};

/** Pings of heartbeats, and everything derived from them. */
export const heartbeatPings = defineProjection({
  name: 'heartbeat_pings',
  version: 2,
  log: 'results',
  collections: {
    heartbeat_pings: collection<PingDocument>({
      indexes: [{ heartbeat_id: 1, received_at: -1 }],
      expires: { field: 'received_at' },
    }),
    ping_hours: collection<PingHourDocument>({
      indexes: [{ heartbeat_id: 1, hour: -1 }],
      expires: { field: 'hour' },
    }),
    heartbeat_standings: collection<HeartbeatStateDocument>({ indexes: [], expires: { field: 'kept_at' } }),
    awaited_heartbeats: collection<AwaitedHeartbeatDocument>({
      indexes: [{ due_at: 1 }, { changed_position: 1 }],
      expires: { field: 'kept_at' },
    }),
    heartbeat_verdicts: collection<HeartbeatVerdictDocument>({
      indexes: [{ changed_position: 1 }],
      expires: { field: 'kept_at' },
    }),
  },
  documents: (event) => {
    const name = publicNameOf(event.data.heartbeat_id);
    const touched = { heartbeat_standings: [name], awaited_heartbeats: [name] };
    if (event.type === 'HeartbeatRescheduled') return touched;
    const { ping_id, heartbeat_id, received_at } = event.data;
    return {
      ...touched,
      heartbeat_pings: [ping_id],
      heartbeat_verdicts: [name],
      ping_hours: [`${heartbeat_id}/${pingHourOf(received_at)}`],
    };
  },
  on: {
    HeartbeatPinged: (event, models) => {
      const { data, metadata, position } = event;
      const { ping_id, heartbeat_id, organization_id, kind, received_at, ping_data = null } = data;
      // The log `results` might contain a ping twice.
      if (models.heartbeat_pings.get(ping_id)) return;
      const id = publicNameOf(heartbeat_id);
      const known = models.heartbeat_standings.get(id);
      models.heartbeat_pings.put({
        id: ping_id,
        heartbeat_id,
        organization_id,
        kind,
        received_at,
        duration: durationOf(known ?? INITIAL_PING_STATE, data),
        client_address: metadata.client_address ?? null,
        user_agent: metadata.user_agent ?? null,
        ping_data,
      });
      const hour = pingHourOf(received_at);
      const hourId = `${heartbeat_id}/${hour}`;
      const ping_count = (models.ping_hours.get(hourId)?.ping_count ?? 0) + 1;
      models.ping_hours.put({ id: hourId, heartbeat_id, hour, ping_count });
      const state = afterPing(known ?? INITIAL_PING_STATE, data);
      put({ heartbeat_id, organization_id }, state, event, known?.said_by ?? null, models);
      if (kind === 'start') return;
      if (state.verdict?.because === null && !mayEndDown(known, data)) return;
      const { recorded_at: kept_at } = metadata;
      models.heartbeat_verdicts.put({ id, organization_id, kept_at, changed_position: Number(position) });
    },
    HeartbeatRescheduled: (event, models) => {
      const { heartbeat_id, organization_id } = event.data;
      const known = models.heartbeat_standings.get(publicNameOf(heartbeat_id));
      if (known?.said_by === event.id) return;
      const before_ = known ?? INITIAL_PING_STATE;
      const state = afterRescheduling(before_, event.data);
      if (state !== before_) put({ heartbeat_id, organization_id }, state, event, event.id, models);
    },
  },
});
