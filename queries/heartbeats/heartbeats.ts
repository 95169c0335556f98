import { publicNameOf } from '../../domain/heartbeat/identity.ts';
import { expectation } from '../../domain/heartbeat/expectation.ts';
import type { Instant } from '../../domain/time.ts';
import { heartbeatPings, type HeartbeatStateDocument } from '../../projections/heartbeat-pings/projection.ts';
import { heartbeats, type HeartbeatDocument } from '../../projections/heartbeats/projection.ts';
import { timeSlices } from '../../domain/concurrency/time-slices.ts';
import type { Where } from '../../stores/read-store/port.ts';
import { containing, exactly, matching, oneOfWhere, tagged, type Matches } from '../engine/filters.ts';
import { joinItems, type Listing, type Paging } from '../engine/listing.ts';
import { ownDocuments } from '../engine/own-documents.ts';
import type { Scope } from '../engine/scope.ts';

/** The status of a heartbeat (docs/reference/heartbeats.md#status-of-a-heartbeat). Null before the first ping. */
export type HeartbeatStatus = 'up' | 'grace' | 'down' | 'paused' | null;

/** Statuses by which lists can be filtered. `pending` means never pinged; responses show this status as null. */
export const STATUS_FILTERS = ['down', 'grace', 'up', 'pending', 'paused'] as const;
export type StatusFilter = (typeof STATUS_FILTERS)[number];

/** A heartbeat with the state derived from its pings. */
export interface JoinedHeartbeat extends HeartbeatDocument {
  status: HeartbeatStatus;
  last_ping_at: Instant | null;
  /** Null if the heartbeat is paused or was never pinged. */
  next_expected_ping: Instant | null;
}

export interface HeartbeatFilters {
  name: string;
  active: boolean;
  /** Matches items with any of these tags. */
  tag: readonly string[];
  /** Matches any of these values. */
  status: readonly StatusFilter[];
}

type QueryScope = Pick<Scope, 'read' | 'organizationId' | 'now'>;

/** Statuses that depend on pings and the time. They cannot be distinguished by the heartbeat's document alone. */
const BY_PINGS: readonly StatusFilter[] = ['grace', 'up', 'pending'];

const NOT_DOWN: Where = { active: true, 'down.number': null };

/** For each status, the conditions on the stored document of a heartbeat with that status. */
const WHERE_OF: Readonly<Record<StatusFilter, Where>> = {
  paused: { active: false },
  down: { active: true, 'down.number': { $ne: null } },
  grace: NOT_DOWN,
  up: NOT_DOWN,
  pending: NOT_DOWN,
};

const FILTERS: Matches<HeartbeatFilters> = {
  name: containing,
  active: exactly,
  tag: tagged,
  status: (_, statuses) => oneOfWhere([...new Set(statuses.map((status) => WHERE_OF[status]))]),
};
const NEWEST_FIRST = { created_at: -1 } as const;

const own = ownDocuments<HeartbeatDocument, HeartbeatFilters>((read) => read(heartbeats).heartbeats, 'heartbeat', {
  sort: NEWEST_FIRST,
  filters: FILTERS,
});

/** @throws NotFound */
export const findHeartbeat = (scope: Pick<Scope, 'read' | 'organizationId'>, id: string): Promise<HeartbeatDocument> =>
  own.one(scope, id);

/** The fields of a heartbeat that determine its status together with its pings. */
type Deciding = Pick<HeartbeatDocument, 'id' | 'active' | 'down' | 'timing'>;

const statusOf = (
  { active, down }: Pick<Deciding, 'active' | 'down'>,
  { last_ping, expected_at }: Pick<HeartbeatStateDocument, 'last_ping' | 'expected_at'>,
  now: Instant,
): HeartbeatStatus => {
  if (!active) return 'paused';
  if (down) return 'down';
  if (!last_ping) return null;
  return expected_at !== null && now >= expected_at ? 'grace' : 'up';
};

const UNKNOWN = { last_ping: null, expected_at: null, number: 0 };

/**
 * Computes the next expected ping from the current schedule. When a schedule is changed, the log of pings records the
 * new schedule only later, but the response to the change must already show the correct time.
 */
const awaited = <S extends Pick<HeartbeatStateDocument, 'last_ping' | 'expected_at' | 'number'>>(
  { active, timing }: Pick<Deciding, 'active' | 'timing'>,
  state: S,
): S =>
  active && state.last_ping && state.number < timing.number
    ? { ...state, expected_at: expectation(timing, timing.from).expected_at }
    : state;

const joining = async (
  { read, now }: QueryScope,
  items: readonly HeartbeatDocument[],
): Promise<(heartbeat: HeartbeatDocument) => JoinedHeartbeat> => {
  const names = items.map(({ id }) => publicNameOf(id));
  const known = new Map(
    (await read(heartbeatPings).heartbeat_standings.getMany(names)).map((state) => [state.heartbeat_id, state]),
  );
  return (heartbeat) => {
    const state = awaited(heartbeat, known.get(heartbeat.id) ?? UNKNOWN);
    return {
      ...heartbeat,
      status: statusOf(heartbeat, state, now),
      // The retention might have removed the newest ping. The time of a ping that was recorded with a failure remains
      // stored.
      last_ping_at: state.last_ping?.at ?? heartbeat.last_down_ping_at,
      next_expected_ping: heartbeat.active ? state.expected_at : null,
    };
  };
};

/** @throws NotFound */
export const showHeartbeat = async (scope: QueryScope, id: string): Promise<JoinedHeartbeat> => {
  const heartbeat = await findHeartbeat(scope, id);
  return (await joining(scope, [heartbeat]))(heartbeat);
};

/** Returns those of the heartbeats that belong to the organization, in the order of `ids`. */
export const showHeartbeats = async (scope: QueryScope, ids: readonly string[]): Promise<JoinedHeartbeat[]> => {
  const found = await own.some(scope, ids);
  return found.map(await joining(scope, found));
};

/**
 * Returns when the next ping of a heartbeat is expected, or null if the heartbeat is paused or was never pinged. If the
 * same request has stored a ping, waits until the read model contains this ping.
 */
export const nextExpectedPing = async (scope: QueryScope, heartbeat: HeartbeatDocument): Promise<Instant | null> =>
  (await joining(scope, [heartbeat]))(heartbeat).next_expected_ping;

/** Number of heartbeats whose pings are read with one query. */
const AT_ONCE = 1_000;

/** Returns the ids of those heartbeats that have one of the statuses, in the same order. */
const idsWithStatus = async (
  { read, now }: QueryScope,
  all: readonly Deciding[],
  wanted: ReadonlySet<StatusFilter>,
): Promise<string[]> => {
  const found: string[] = [];
  const pause = timeSlices();
  for (let first = 0; first < all.length; first += AT_ONCE) {
    const some = all.slice(first, first + AT_ONCE);
    const names: string[] = [];
    for (const { id } of some) {
      names.push(publicNameOf(id));
      await pause();
    }
    const fields = ['heartbeat_id', 'last_ping', 'expected_at', 'number'] as const;
    const standings = await read(heartbeatPings).heartbeat_standings.pick(fields, { where: { id: { $in: names } } });
    const known = new Map(standings.map((state) => [state.heartbeat_id, state]));
    for (const heartbeat of some) {
      const state = awaited(heartbeat, known.get(heartbeat.id) ?? UNKNOWN);
      if (wanted.has(statusOf(heartbeat, state, now) ?? 'pending')) found.push(heartbeat.id);
    }
  }
  return found;
};

/**
 * Lists the heartbeats of the organization, newest first. If a filter depends on pings, the pings of all candidates are
 * read, not only those of the requested page.
 */
export const listHeartbeats = async (
  scope: QueryScope,
  filters: Partial<HeartbeatFilters>,
  paging: Paging,
): Promise<Listing<JoinedHeartbeat>> => {
  const join = (items: readonly HeartbeatDocument[]) => joining(scope, items);
  const wanted = new Set(filters.status);
  const byPings = BY_PINGS.filter((status) => wanted.has(status)).length;
  if (byPings === 0 || byPings === BY_PINGS.length) return joinItems(await own.list(scope, filters, paging), join);
  const { page, size, until } = paging;
  const where = { ...matching(FILTERS, filters), organization_id: scope.organizationId };
  const all = await scope.read(heartbeats).heartbeats.pick(['id', 'active', 'down', 'timing'], {
    where: until === undefined ? where : { $and: [where, { created_at: { $lte: until } }] },
    sort: NEWEST_FIRST,
  });
  const ids = await idsWithStatus(scope, all, wanted);
  const items = await own.some(scope, ids.slice((page - 1) * size, page * size));
  return joinItems({ items, total: ids.length }, join);
};
