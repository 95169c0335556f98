import { publicNameOf } from '../../domain/heartbeat/identity.ts';
import { expectation } from '../../domain/heartbeat/timing.ts';
import type { Instant } from '../../domain/time.ts';
import { heartbeatPings, type StandingDocument } from '../../projections/heartbeat-pings/projection.ts';
import { heartbeats, type HeartbeatDocument } from '../../projections/heartbeats/projection.ts';
import { containing, exactly, tagged } from '../engine/filters.ts';
import { joined, type Listing, type Paging } from '../engine/listing.ts';
import { ownDocuments } from '../engine/own-documents.ts';
import type { Scope } from '../engine/scope.ts';

/** How a heartbeat stands (decisions.md: Heartbeats); null before the first ping. */
export type HeartbeatStatus = 'up' | 'grace' | 'down' | 'paused' | null;

/** A heartbeat with what its pings say of it. */
export interface JoinedHeartbeat extends HeartbeatDocument {
  status: HeartbeatStatus;
  last_ping_at: Instant | null;
  /** null: it is paused, or was never pinged */
  next_expected_ping: Instant | null;
}

export interface HeartbeatFilters {
  name: string;
  active: boolean;
  /** it has any of these */
  tag: readonly string[];
}

type Asking = Pick<Scope, 'read' | 'organizationId' | 'now'>;

const own = ownDocuments<HeartbeatDocument, HeartbeatFilters>((read) => read(heartbeats).heartbeats, 'heartbeat', {
  sort: { created_at: -1 },
  filters: { name: containing, active: exactly, tag: tagged },
});

/** @throws NotFound */
export const findHeartbeat = (scope: Pick<Scope, 'read' | 'organizationId'>, id: string): Promise<HeartbeatDocument> =>
  own.one(scope, id);

const statusOf = (
  { active, down }: HeartbeatDocument,
  { last_ping, expected_at }: Pick<StandingDocument, 'last_ping' | 'expected_at'>,
  now: Instant,
): HeartbeatStatus => {
  if (!active) return 'paused';
  if (down) return 'down';
  if (!last_ping) return null;
  return expected_at !== null && now >= expected_at ? 'grace' : 'up';
};

const UNKNOWN = { last_ping: null, expected_at: null, number: 0 };

/**
 * What is expected after a change of its times, also before the log of pings has heard of that: whoever has made it is
 * answered so.
 */
const awaited = <S extends Pick<StandingDocument, 'last_ping' | 'expected_at' | 'number'>>(
  { active, timing }: HeartbeatDocument,
  standing: S,
): S =>
  active && standing.last_ping && standing.number < timing.number
    ? { ...standing, expected_at: expectation(timing, timing.from).expected_at }
    : standing;

const joining = async (
  { read, now }: Asking,
  items: readonly HeartbeatDocument[],
): Promise<(heartbeat: HeartbeatDocument) => JoinedHeartbeat> => {
  const names = items.map(({ id }) => publicNameOf(id));
  const known = new Map(
    (await read(heartbeatPings).heartbeat_standings.getMany(names)).map((standing) => [
      standing.heartbeat_id,
      standing,
    ]),
  );
  return (heartbeat) => {
    const standing = awaited(heartbeat, known.get(heartbeat.id) ?? UNKNOWN);
    return {
      ...heartbeat,
      status: statusOf(heartbeat, standing, now),
      // Results forget a ping after a while, an event of the heartbeat itself remembers it.
      last_ping_at: standing.last_ping?.at ?? heartbeat.last_down_ping_at,
      next_expected_ping: heartbeat.active ? standing.expected_at : null,
    };
  };
};

/** @throws NotFound */
export const showHeartbeat = async (scope: Asking, id: string): Promise<JoinedHeartbeat> => {
  const heartbeat = await findHeartbeat(scope, id);
  return (await joining(scope, [heartbeat]))(heartbeat);
};

/** Those of these heartbeats that the organization has, in the order of their ids. */
export const someHeartbeats = async (scope: Asking, ids: readonly string[]): Promise<JoinedHeartbeat[]> => {
  const found = await own.some(scope, ids);
  return found.map(await joining(scope, found));
};

/**
 * When the next ping of a heartbeat is expected, by all its pings; null: it is paused, or was never pinged. It waits for
 * a ping that its own request has stored.
 */
export const nextExpectedPing = async (scope: Asking, heartbeat: HeartbeatDocument): Promise<Instant | null> =>
  (await joining(scope, [heartbeat]))(heartbeat).next_expected_ping;

/** The heartbeats of the organization, newest first. */
export const listHeartbeats = async (
  scope: Asking,
  filters: Partial<HeartbeatFilters>,
  paging: Paging,
): Promise<Listing<JoinedHeartbeat>> =>
  joined(await own.list(scope, filters, paging), (items) => joining(scope, items));
