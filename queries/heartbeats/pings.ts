import { CLIENT_ADDRESS, USER_AGENT } from '../../domain/event.ts';
import { pingHourOf } from '../../domain/heartbeat-pings/hours.ts';
import { unescaped, type Sealed } from '../../domain/sealed.ts';
import { before, HOUR_MS, type Instant } from '../../domain/time.ts';
import { heartbeatPings, type PingDocument } from '../../projections/heartbeat-pings/projection.ts';
import type { HeartbeatDocument } from '../../projections/heartbeats/projection.ts';
import { openText } from '../../stores/keys/port.ts';
import { joinItems, readListing, type Listing, type Paging } from '../engine/listing.ts';
import type { Scope } from '../engine/scope.ts';

/** A ping with decrypted texts. */
export interface Ping extends Omit<PingDocument, 'client_address' | 'user_agent'> {
  source_ip: string | null;
  user_agent: string | null;
}

/** Lists the pings of a heartbeat within the retention period of results, newest first. */
export const listPings = async (
  { read, keys, resultsFrom }: Pick<Scope, 'read' | 'keys' | 'resultsFrom'>,
  { id: heartbeat_id }: Pick<HeartbeatDocument, 'id'>,
  paging: Paging,
): Promise<Listing<Ping>> => {
  const select = { where: { heartbeat_id, received_at: { $gte: resultsFrom() } }, sort: { received_at: -1 } } as const;
  const found = await readListing(read(heartbeatPings).heartbeat_pings, select, paging);
  return joinItems(found, async () => (ping) => opened({ keys }, ping));
};

const opened = async (
  { keys }: Pick<Scope, 'keys'>,
  { client_address, user_agent, ping_data, ...ping }: PingDocument,
): Promise<Ping> => {
  const open = (sealed: Sealed | null, field: string): Promise<string> | null =>
    sealed && openText(sealed, { organizationId: ping.organization_id, field }, keys);
  return {
    ...ping,
    ping_data: unescaped(ping_data),
    source_ip: await open(client_address, CLIENT_ADDRESS),
    user_agent: await open(user_agent, USER_AGENT),
  };
};

/** Counts pings in each of the most recent hours (UTC), oldest first. The final one is the current hour. */
export const countPingsByHour = async (
  { read, now }: Pick<Scope, 'read' | 'now'>,
  { id: heartbeat_id }: Pick<HeartbeatDocument, 'id'>,
  hours: number,
): Promise<{ hour: Instant; ping_count: number }[]> => {
  const last = pingHourOf(now);
  const all = Array.from({ length: hours }, (_, index) => before(last, (hours - 1 - index) * HOUR_MS));
  const where = { heartbeat_id, hour: { $gte: all[0] ?? last, $lte: last } };
  const known = await read(heartbeatPings).ping_hours.find({ where, sort: { hour: -1 }, limit: hours });
  const counts = new Map(known.map(({ hour, ping_count }) => [hour, ping_count]));
  return all.map((hour) => ({ hour, ping_count: counts.get(hour) ?? 0 }));
};
