import type { RecordedEventOf } from '../../domain/event-types.ts';
import type { Cause } from '../../domain/delivery/events.ts';
import type { Timing } from '../../domain/heartbeat-pings/events.ts';
import type { HeartbeatFields } from '../../domain/heartbeat/events.ts';
import { publicNameOf } from '../../domain/heartbeat/identity.ts';
import { changedHeartbeat, type HeartbeatDown } from '../../domain/heartbeat/state.ts';
import { timingOf } from '../../domain/heartbeat/expectation.ts';
import { revisionOf } from '../../domain/revision.ts';
import type { Instant } from '../../domain/time.ts';
import { collection, defineProjection, type Model } from '../engine/fold/define.ts';

/** The part of a heartbeat that does not depend on its pings. */
export interface HeartbeatDocument extends HeartbeatFields {
  id: string;
  organization_id: string;
  timing: Timing;
  /** Null if the heartbeat is not down. */
  down: HeartbeatDown | null;
  /**
   * Time of the ping that was recorded with the most recent failure. It is stored here, because retention removes
   * pings.
   */
  last_down_ping_at: Instant | null;
  /** see domain/revision.ts */
  revision: number;
  created_at: Instant;
  updated_at: Instant;
}

/**
 * When pings of a heartbeat are expected: an item of the list of the reactor that records the schedule in the results
 * log (reactors/heartbeats/schedules.ts).
 */
export interface HeartbeatTimingDocument {
  /** derived id of the heartbeat (domain/heartbeat/identity.ts) */
  id: string;
  heartbeat_id: string;
  organization_id: string;
  number: number;
  /** Null if the heartbeat is paused or deleted. */
  timing: Timing | null;
  changed_at: Instant;
  changed_position: number;
}

/** A heartbeat that went down or recovered, for notifying its channels (reactors/delivery/heartbeat.ts). */
export interface HeartbeatNoticeDocument {
  id: string;
  organization_id: string;
  heartbeat_id: string;
  cause: Cause;
  caused_at: Instant;
  /** A receiver gets the messages about the failure and the recovery in this order. */
  series: string;
  in_order: true;
  priority: 'alert';
  event: 'heartbeat.down' | 'heartbeat.recovered';
  /** Channels of the heartbeat at the time of the event. */
  channel_ids: readonly string[];
  name: string;
  down: HeartbeatDown;
  /** Null if the heartbeat went down. */
  recovered: { at: Instant; duration: number } | null;
  changed_position: number;
}

export const HEARTBEAT_CAUSE = 'heartbeat';

interface Models {
  heartbeats: Model<HeartbeatDocument>;
  heartbeat_timings: Model<HeartbeatTimingDocument>;
  heartbeat_notices: Model<HeartbeatNoticeDocument>;
}

/** Returns the id of a notice, which is also the id of the cause of its messages. */
export const heartbeatNoticeId = (heartbeatId: string, number: number, what: 'down' | 'recovered'): string =>
  `${publicNameOf(heartbeatId)}/${number}/${what}`;

const putTiming = (
  heartbeat: HeartbeatDocument,
  timing: Timing | null,
  { number, changed_at, position }: { number: number; changed_at: Instant; position: bigint },
  { heartbeat_timings }: Models,
): void => {
  const { id: heartbeat_id, organization_id } = heartbeat;
  const id = publicNameOf(heartbeat_id);
  heartbeat_timings.put({
    id,
    heartbeat_id,
    organization_id,
    number,
    timing,
    changed_at,
    changed_position: Number(position),
  });
};

const putNotice = (
  { id: heartbeat_id, organization_id, name, channel_ids }: HeartbeatDocument,
  down: HeartbeatDown,
  recovered: HeartbeatNoticeDocument['recovered'],
  { position, metadata }: RecordedEventOf<'HeartbeatWentDown' | 'HeartbeatRecovered'>,
  { heartbeat_notices }: Models,
): void => {
  const what = recovered ? 'recovered' : 'down';
  const id = heartbeatNoticeId(heartbeat_id, down.number, what);
  heartbeat_notices.put({
    id,
    organization_id,
    heartbeat_id,
    cause: { kind: HEARTBEAT_CAUSE, id },
    series: `heartbeat/${publicNameOf(heartbeat_id)}`,
    in_order: true,
    priority: 'alert',
    // The cause has the time at which the event was recorded. The failure itself might be earlier.
    caused_at: metadata.recorded_at,
    event: `heartbeat.${what}`,
    channel_ids,
    name,
    down,
    recovered,
    changed_position: Number(position),
  });
};

const downOf = ({ data }: RecordedEventOf<'HeartbeatWentDown'>): HeartbeatDown => {
  const { number, down_at, because, ping_id, last_ping_at } = data;
  return { number, down_at, because, ping_id, last_ping_at };
};

/** Heartbeats with their settings, and the part of their state that events of the log `main` record. */
export const heartbeats = defineProjection({
  name: 'heartbeats',
  version: 3,
  log: 'main',
  collections: {
    heartbeats: collection<HeartbeatDocument>({ indexes: [{ organization_id: 1, created_at: -1 }] }),
    heartbeat_timings: collection<HeartbeatTimingDocument>({ indexes: [{ changed_position: 1 }] }),
    heartbeat_notices: collection<HeartbeatNoticeDocument>({ indexes: [{ changed_position: 1 }] }),
  },
  documents: (event) => {
    const { heartbeat_id: id } = event.data;
    const touched = { heartbeats: [id] };
    switch (event.type) {
      case 'HeartbeatWentDown':
        return { ...touched, heartbeat_notices: [heartbeatNoticeId(id, event.data.number, 'down')] };
      case 'HeartbeatRecovered':
        return { ...touched, heartbeat_notices: [heartbeatNoticeId(id, event.data.number, 'recovered')] };
      default:
        return { ...touched, heartbeat_timings: [publicNameOf(id)] };
    }
  },
  on: {
    HeartbeatCreated: (event, models) => {
      const { data, metadata, position } = event;
      const { heartbeat_id: id, heartbeat: fields, created_at } = data;
      const timing = timingOf(fields, 1, created_at);
      const heartbeat: HeartbeatDocument = {
        id,
        organization_id: metadata.organization_id ?? '',
        ...fields,
        timing,
        down: null,
        last_down_ping_at: null,
        revision: revisionOf(event),
        created_at,
        updated_at: created_at,
      };
      models.heartbeats.put(heartbeat);
      putTiming(heartbeat, fields.active ? timing : null, { number: 1, changed_at: created_at, position }, models);
    },
    HeartbeatUpdated: (event, models) => {
      const { data, position } = event;
      const known = models.heartbeats.get(data.heartbeat_id);
      if (!known) return;
      const { changed_at } = data;
      const { fields, timing, down } = changedHeartbeat(
        { fields: known, timing: known.timing, down: known.down },
        data,
      );
      const revision = revisionOf(event);
      const heartbeat: HeartbeatDocument = { ...known, ...fields, timing, down, revision, updated_at: changed_at };
      models.heartbeats.put(heartbeat);
      const { number } = timing;
      if (number === known.timing.number) return;
      putTiming(heartbeat, heartbeat.active ? timing : null, { number, changed_at, position }, models);
    },
    HeartbeatDeleted: ({ data: { heartbeat_id: id, deleted_at: changed_at }, position }, models) => {
      const known = models.heartbeats.get(id);
      if (!known) return;
      models.heartbeats.delete(id);
      putTiming(known, null, { number: known.timing.number + 1, changed_at, position }, models);
    },
    HeartbeatWentDown: (event, models) => {
      const known = models.heartbeats.get(event.data.heartbeat_id);
      if (!known) return;
      const down = downOf(event);
      models.heartbeats.put({ ...known, down, last_down_ping_at: down.last_ping_at });
      putNotice(known, down, null, event, models);
    },
    HeartbeatRecovered: (event, models) => {
      const known = models.heartbeats.get(event.data.heartbeat_id);
      if (!known?.down) return;
      const { recovered_at: at, duration } = event.data;
      models.heartbeats.put({ ...known, down: null, last_down_ping_at: at });
      putNotice(known, known.down, { at, duration }, event, models);
    },
  },
});
