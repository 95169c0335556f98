import type { EventOf } from '../catalogue.ts';
import type { Standing } from '../heartbeat-pings/standing.ts';
import { isThere } from '../lifecycle.ts';
import { millisecondsOf, type Instant } from '../time.ts';
import type { DownBecause, HeartbeatEvent } from './events.ts';
import type { Down, Heartbeat, Live } from './state.ts';

/** That a heartbeat is late by now, and since when. */
export interface Late {
  at: Instant;
  because: DownBecause;
}

/** What pings say of a heartbeat, as far as it is judged by that. */
type Judged = Pick<Standing, 'number' | 'last_ping' | 'verdict'>;

/**
 * Lets a heartbeat go down or recover by what its pings say; or recover and then go down again, where both came before
 * anybody looked.
 *
 * @param late null: it is not, as far as the caller knows
 * @param now the time by the clock, which may have been set back since a ping
 */
export const judgeHeartbeat = (
  heartbeat: Heartbeat,
  standing: Judged,
  late: Late | null,
  now: Instant,
): HeartbeatEvent[] => {
  if (!isThere(heartbeat) || !heartbeat.fields.active) return [];
  const recovered = heartbeat.down && recoveryOf(heartbeat, heartbeat.down, standing, now);
  if (heartbeat.down && !recovered) return [];
  const recovered_at = recovered ? recovered.data.recovered_at : heartbeat.recovered_at;
  const down = goingDown({ ...heartbeat, recovered_at }, standing, late, now);
  return [recovered, down].filter((event) => event !== null);
};

/** That a heartbeat which is down has recovered; null: it has not. */
const recoveryOf = (
  { id: heartbeat_id }: Live,
  down: Down,
  { last_ping, verdict }: Judged,
  now: Instant,
): EventOf<'HeartbeatRecovered'> | null => {
  if (verdict === null || verdict.because !== null || verdict.ping_id === down.ping_id) return null;
  // What pings say may have been looked up before the ping that went with its going down. A time that is still to come
  // is that of a wrong clock.
  const isNewer = verdict.at >= down.last_ping_at || (down.last_ping_at > now && verdict.ping_id === last_ping?.id);
  if (!isNewer) return null;
  const { at: recovered_at, ping_id } = verdict;
  const duration = Math.floor((millisecondsOf(recovered_at) - millisecondsOf(down.down_at)) / 1_000);
  return {
    type: 'HeartbeatRecovered',
    data: { heartbeat_id, number: down.number, recovered_at, ping_id, duration: Math.max(0, duration) },
  };
};

/** That a heartbeat which is up goes down; null: it does not. */
const goingDown = (
  { id: heartbeat_id, timing, active_since, times_down, recovered_at }: Live,
  { number: known, last_ping, verdict }: Judged,
  late: Late | null,
  now: Instant,
): EventOf<'HeartbeatWentDown'> | null => {
  if (!last_ping) return null;
  // Found late by times that have changed since, or by an older ping than the one that ended the last time.
  const isOlder = recovered_at !== null && recovered_at <= now && last_ping.at < recovered_at;
  const bad = isBadSince(verdict, active_since) ?? (known < timing.number || isOlder ? null : late);
  if (!bad) return null;
  return {
    type: 'HeartbeatWentDown',
    data: {
      heartbeat_id,
      number: times_down + 1,
      down_at: bad.at,
      because: bad.because,
      ping_id: last_ping.id,
      last_ping_at: last_ping.at,
    },
  };
};

/** The verdict that a run has failed, unless the heartbeat was paused since. */
const isBadSince = (verdict: Standing['verdict'], from: Instant): Late | null =>
  verdict !== null && verdict.because !== null && verdict.at >= from
    ? { at: verdict.at, because: verdict.because }
    : null;
