import { pingHourOf } from '../../domain/heartbeat-pings/hours.ts';
import type { HeartbeatPinged, PingKind } from '../../domain/heartbeat-pings/events.ts';
import {
  afterPing,
  afterRescheduling,
  downAtOf,
  durationOf,
  NO_PINGS,
  STORED_WITHIN,
  type Standing,
} from '../../domain/heartbeat-pings/standing.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import { publicNameOf } from '../../domain/heartbeat/identity.ts';
import { later } from '../../domain/heartbeat/timing.ts';
import type { Sealed } from '../../domain/sealed.ts';
import { before, type Instant } from '../../domain/time.ts';
import { collection, defineProjection, type Model } from '../engine/fold/define.ts';

/** A ping. */
export interface PingDocument {
  id: string;
  heartbeat_id: string;
  organization_id: string;
  kind: PingKind;
  received_at: Instant;
  /** milliseconds since its run began; null: nobody knows when that was, or it began with this ping */
  duration: number | null;
  client_address: Sealed | null;
  user_agent: Sealed | null;
  /** as it is stored (domain/sealed.ts, `escaped`); null: nothing was sent */
  ping_data: unknown;
}

/** How many pings of a heartbeat came in an hour. */
export interface PingHourDocument {
  /** `{heartbeat id}/{hour}` */
  id: string;
  heartbeat_id: string;
  /** the first instant of the hour */
  hour: Instant;
  ping_count: number;
}

/** What the pings of a heartbeat say of it. */
export interface StandingDocument extends Standing {
  /** another name of the heartbeat (domain/heartbeat/identity.ts) */
  id: string;
  heartbeat_id: string;
  organization_id: string;
  /** when the last event of it was recorded */
  kept_at: Instant;
  /** id of the last event that said when pings are expected, since it may come twice; null: none did */
  said_by: string | null;
  changed_position: number;
}

/**
 * A heartbeat that goes down if no ping comes: an item of the list of the reactor that lets it
 * (reactors/heartbeats/lateness.ts).
 */
export interface AwaitedDocument {
  id: string;
  organization_id: string;
  /** when to look: once it is late, or when what is known of it has to be said again */
  due_at: Instant;
  kept_at: Instant;
  changed_position: number;
}

/** A heartbeat whose runs end in another way than before: an item of the list of the reactor that tells so. */
export interface HeartbeatVerdictDocument {
  id: string;
  organization_id: string;
  kept_at: Instant;
  /** position of the ping that says otherwise than those before */
  changed_position: number;
}

/**
 * The results log may keep a single day, and what is known of a heartbeat is said again long before it is forgotten.
 * Seconds.
 */
const SAID_AGAIN_AFTER = 12 * 3_600;
/** How far clocks of processes may differ, so a ping may be late though its time says otherwise. Milliseconds. */
const CLOCKS_DIFFER_MS = 120_000;

interface Models {
  heartbeat_standings: Model<StandingDocument>;
  awaited_heartbeats: Model<AwaitedDocument>;
}

const put = (
  ids: { heartbeat_id: string; organization_id: string },
  standing: Standing,
  { position, metadata: { recorded_at: kept_at } }: Pick<RecordedEvent, 'position' | 'metadata'>,
  said_by: string | null,
  { heartbeat_standings, awaited_heartbeats }: Models,
): void => {
  const { organization_id } = ids;
  const id = publicNameOf(ids.heartbeat_id);
  const changed_position = Number(position);
  heartbeat_standings.put({ id, ...ids, ...standing, kept_at, said_by, changed_position });
  const down = downAtOf(standing);
  if (!down) {
    awaited_heartbeats.delete(id);
    return;
  }
  const late = later(down.at, STORED_WITHIN);
  const again = later(kept_at, SAID_AGAIN_AFTER);
  awaited_heartbeats.put({ id, organization_id, due_at: late < again ? late : again, kept_at, changed_position });
};

/**
 * Whether a ping may end the time that a heartbeat was down. It can't where its last run ended well and it can't have
 * been late since, by any times that held since then.
 */
const mayEndDown = (
  before_: StandingDocument | undefined,
  { received_at, while_down }: Pick<HeartbeatPinged, 'received_at' | 'while_down'>,
): boolean => {
  if (while_down || !before_?.verdict || before_.verdict.because !== null || before_.down_from === null) return true;
  return received_at >= before(before_.down_from, CLOCKS_DIFFER_MS);
};

/** Pings of heartbeats, and all that follows from them. */
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
    heartbeat_standings: collection<StandingDocument>({ indexes: [], expires: { field: 'kept_at' } }),
    awaited_heartbeats: collection<AwaitedDocument>({
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
    const standing = { heartbeat_standings: [name], awaited_heartbeats: [name] };
    if (event.type === 'HeartbeatRescheduled') return standing;
    const { ping_id, heartbeat_id, received_at } = event.data;
    return {
      ...standing,
      heartbeat_pings: [ping_id],
      heartbeat_verdicts: [name],
      ping_hours: [`${heartbeat_id}/${pingHourOf(received_at)}`],
    };
  },
  on: {
    HeartbeatPinged: (event, models) => {
      const { data, metadata, position } = event;
      const { ping_id, heartbeat_id, organization_id, kind, received_at, ping_data = null } = data;
      // The results log may hold it twice.
      if (models.heartbeat_pings.get(ping_id)) return;
      const id = publicNameOf(heartbeat_id);
      const known = models.heartbeat_standings.get(id);
      models.heartbeat_pings.put({
        id: ping_id,
        heartbeat_id,
        organization_id,
        kind,
        received_at,
        duration: durationOf(known ?? NO_PINGS, data),
        client_address: metadata.client_address ?? null,
        user_agent: metadata.user_agent ?? null,
        ping_data,
      });
      const hour = pingHourOf(received_at);
      const hourId = `${heartbeat_id}/${hour}`;
      const ping_count = (models.ping_hours.get(hourId)?.ping_count ?? 0) + 1;
      models.ping_hours.put({ id: hourId, heartbeat_id, hour, ping_count });
      const standing = afterPing(known ?? NO_PINGS, data);
      put({ heartbeat_id, organization_id }, standing, event, known?.said_by ?? null, models);
      if (kind === 'start') return;
      if (standing.verdict?.because === null && !mayEndDown(known, data)) return;
      const { recorded_at: kept_at } = metadata;
      models.heartbeat_verdicts.put({ id, organization_id, kept_at, changed_position: Number(position) });
    },
    HeartbeatRescheduled: (event, models) => {
      const { heartbeat_id, organization_id } = event.data;
      const known = models.heartbeat_standings.get(publicNameOf(heartbeat_id));
      if (known?.said_by === event.id) return;
      const before_ = known ?? NO_PINGS;
      const standing = afterRescheduling(before_, event.data);
      if (standing !== before_) put({ heartbeat_id, organization_id }, standing, event, event.id, models);
    },
  },
});
