import { streamOf } from '../../../domain/decider.ts';
import { grouped } from '../../../domain/grouped.ts';
import type { RecordedEvent } from '../../../domain/event.ts';
import { pingShardOf } from '../../../domain/heartbeat-pings/events.ts';
import { before, SECOND_MS, type Instant } from '../../../domain/time.ts';
import { heartbeatPings } from '../../heartbeat-pings/projection.ts';
import { heartbeats } from '../../heartbeats/projection.ts';
import type { FoldedModel } from '../past-read.ts';
import { foldEvents, isRecordedBy, type Loaded, type ResultSources, type ResultsMoment } from './loads.ts';
import { findRange, readRange, sizeOfRange, type StreamRange } from './stream-range.ts';

/** From when on the pings of a heartbeat are folded. */
interface Beginning {
  id: string;
  from: Instant;
  /** id of a ping that must be among them; null: `from` is before its first ping */
  pingId: string | null;
}

/** A ping is recorded within this time after it was received, in milliseconds. */
const RECORDED_WITHIN_MS = 5 * SECOND_MS;
/** Number of newest pings among which the beginning is searched. */
const SEARCHED = 64;
const FIELDS = ['id', 'kind', 'received_at'] as const;

/**
 * Loads the states of heartbeats at a moment, and at least their `pings` newest pings. A ping that ends a run replaces all
 * of the state before it, except which timing is the newest, which its heartbeat's document has too.
 */
export const loadHeartbeatPings = async (
  sources: ResultSources,
  moment: ResultsMoment,
  ids: readonly string[],
  pings: number,
): Promise<Loaded> => {
  const unknown = new Set<string>();
  const beginnings: Beginning[] = [];
  for (const { id, created_at } of await moment.past(heartbeats).heartbeats.getMany(ids)) {
    const beginning = await beginningOf(moment, { id, created_at }, pings);
    if (beginning === 'unknown') unknown.add(id);
    else if (beginning !== null) beginnings.push(beginning);
  }
  const models = new Map<string, FoldedModel>();
  let folded = 0;
  for (const [stream, ofStream] of grouped(beginnings, ({ id }) => streamOf('heartbeat_pings', pingShardOf(id)))) {
    const events = await readSince(sources, moment, stream, ofStream);
    for (const { id, pingId } of ofStream) {
      const own = events?.get(id) ?? [];
      const isWhole = pingId === null || own.some(({ data }) => (data as { ping_id?: string }).ping_id === pingId);
      if (!events || !isWhole) unknown.add(id);
      else models.set(id, await foldEvents(heartbeatPings, own, sources.openStore));
      folded += own.length;
    }
  }
  return { models, unknown, events: folded };
};

/** Returns from when on the pings have to be folded. Null: the heartbeat had no pings. */
const beginningOf = async (
  { present, at, retainedFrom }: ResultsMoment,
  { id, created_at }: { id: string; created_at: Instant },
  pings: number,
): Promise<Beginning | 'unknown' | null> => {
  const rows = await present(heartbeatPings).heartbeat_pings.pick(FIELDS, {
    where: { heartbeat_id: id, received_at: { $gte: retainedFrom, $lte: at } },
    sort: { received_at: -1 },
    limit: SEARCHED,
  });
  const certain = before(at, RECORDED_WITHIN_MS);
  const begin = rows.find(
    ({ kind, received_at }, index) => index >= pings && kind !== 'start' && received_at <= certain,
  );
  if (begin) return { id, from: begin.received_at, pingId: begin.id };
  if (rows.length === SEARCHED || created_at < retainedFrom) return 'unknown';
  return rows.length === 0 ? null : { id, from: created_at, pingId: null };
};

/**
 * Reads the events of heartbeats from their beginnings up to the moment, by heartbeat. Heartbeats whose beginnings are too
 * long ago are absent. Null: not even the latest beginning is near enough.
 */
const readSince = async (
  { results, limits }: ResultSources,
  { at, organizationId }: ResultsMoment,
  stream: string,
  beginnings: readonly Beginning[],
): Promise<Map<string, RecordedEvent[]> | null> => {
  const found = new Map<string, RecordedEvent[]>();
  let widest: StreamRange | null = null;
  for (const { id, from } of [...beginnings].sort((one, other) => (one.from < other.from ? 1 : -1))) {
    const range = await findRange(results, stream, { from, until: at });
    if (!range || sizeOfRange(range) > limits.read) break;
    widest = range;
    found.set(id, []);
  }
  if (!widest) return null;
  const isOwn = (event: RecordedEvent): boolean => {
    const { heartbeat_id, organization_id } = event.data as { heartbeat_id: string; organization_id: string };
    return isRecordedBy(event, at) && found.has(heartbeat_id) && organization_id === organizationId;
  };
  const events = await readRange(results, widest, isOwn, { most: limits.folded });
  for (const event of events ?? []) found.get((event.data as { heartbeat_id: string }).heartbeat_id)?.push(event);
  return events && found;
};
