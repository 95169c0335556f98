import type { EventOf } from '../event-types.ts';
import type { PingState } from '../heartbeat-pings/state.ts';
import { isExisting } from '../existence.ts';
import { millisecondsOf, type Instant } from '../time.ts';
import type { DownBecause, HeartbeatEvent } from './events.ts';
import type { HeartbeatDown, Heartbeat, LiveHeartbeat } from './state.ts';

/** When a heartbeat became late, and why. */
export interface LateHeartbeat {
  at: Instant;
  because: DownBecause;
}

/** The parts of the ping state that show whether a heartbeat is down. */
type Judged = Pick<PingState, 'number' | 'last_ping' | 'verdict'>;

/**
 * Decides whether a heartbeat goes down or recovers, according to its pings. If the heartbeat recovered and went down
 * again since the last evaluation, both events are returned.
 *
 * @param late null if the caller knows of no lateness
 * @param now the current time. It may be earlier than a ping if the clock was set back.
 */
export const evaluateHeartbeat = (
  heartbeat: Heartbeat,
  standing: Judged,
  late: LateHeartbeat | null,
  now: Instant,
): HeartbeatEvent[] => {
  if (!isExisting(heartbeat) || !heartbeat.fields.active) return [];
  const recovered = heartbeat.down && recoveryOf(heartbeat, heartbeat.down, standing, now);
  if (heartbeat.down && !recovered) return [];
  const recovered_at = recovered ? recovered.data.recovered_at : heartbeat.recovered_at;
  const down = goingDown({ ...heartbeat, recovered_at }, standing, late, now);
  return [recovered, down].filter((event) => event !== null);
};

/** Returns the recovery of a heartbeat that is down; null if it has not recovered. */
const recoveryOf = (
  { id: heartbeat_id }: LiveHeartbeat,
  down: HeartbeatDown,
  { last_ping, verdict }: Judged,
  now: Instant,
): EventOf<'HeartbeatRecovered'> | null => {
  if (verdict === null || verdict.because !== null || verdict.ping_id === down.ping_id) return null;
  // The ping state may be outdated: it may not contain the ping that was the newest when the heartbeat went down. If
  // `last_ping_at` is in the future, the clock was ahead when that ping was received, so compare the ping ids instead
  // of the times.
  const isNewer = verdict.at >= down.last_ping_at || (down.last_ping_at > now && verdict.ping_id === last_ping?.id);
  if (!isNewer) return null;
  const { at: recovered_at, ping_id } = verdict;
  const duration = Math.floor((millisecondsOf(recovered_at) - millisecondsOf(down.down_at)) / 1_000);
  return {
    type: 'HeartbeatRecovered',
    data: { heartbeat_id, number: down.number, recovered_at, ping_id, duration: Math.max(0, duration) },
  };
};

/** Returns the event with which a heartbeat goes down; null if it stays up. */
const goingDown = (
  { id: heartbeat_id, timing, active_since, times_down, recovered_at }: LiveHeartbeat,
  { number: known, last_ping, verdict }: Judged,
  late: LateHeartbeat | null,
  now: Instant,
): EventOf<'HeartbeatWentDown'> | null => {
  if (!last_ping) return null;
  // Ignore lateness under an outdated timing. Also ignore lateness if the newest ping in the ping state is older than
  // the ping that ended the previous downtime.
  const isOlder = recovered_at !== null && recovered_at <= now && last_ping.at < recovered_at;
  const bad = failedRunSince(verdict, active_since) ?? (known < timing.number || isOlder ? null : late);
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

/** Returns the failure of the newest run; null if the run succeeded, or ended before the heartbeat was last resumed. */
const failedRunSince = (verdict: PingState['verdict'], from: Instant): LateHeartbeat | null =>
  verdict !== null && verdict.because !== null && verdict.at >= from
    ? { at: verdict.at, because: verdict.because }
    : null;
