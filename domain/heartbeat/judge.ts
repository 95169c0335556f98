import type { Standing } from '../heartbeat-pings/standing.ts';
import { isThere } from '../lifecycle.ts';
import { millisecondsOf, type Instant } from '../time.ts';
import type { DownBecause, HeartbeatEvent } from './events.ts';
import type { Heartbeat } from './state.ts';

/** That a heartbeat is late by now, and since when. */
export interface Late {
  at: Instant;
  because: DownBecause;
}

/**
 * Lets a heartbeat go down or recover by what its pings say.
 *
 * @param late null: it is not, as far as the caller knows
 */
export const judgeHeartbeat = (
  heartbeat: Heartbeat,
  { number: known, last_ping, verdict }: Pick<Standing, 'number' | 'last_ping' | 'verdict'>,
  late: Late | null,
): HeartbeatEvent[] => {
  if (!isThere(heartbeat) || !heartbeat.fields.active || !last_ping) return [];
  const { id, timing, down, times_down, recovered_at } = heartbeat;
  if (down) {
    const ended = verdict?.because === null && verdict.ping_id !== down.ping_id && verdict.at >= down.last_ping_at;
    if (!ended) return [];
    const duration = Math.floor((millisecondsOf(verdict.at) - millisecondsOf(down.down_at)) / 1_000);
    const { number } = down;
    const { at, ping_id } = verdict;
    return [
      {
        type: 'HeartbeatRecovered',
        data: { heartbeat_id: id, number, recovered_at: at, ping_id, duration: Math.max(0, duration) },
      },
    ];
  }
  // Found late by times that have changed since, or by an older ping than the one that ended the last time.
  const isOutdated = known < timing.number || (recovered_at !== null && last_ping.at < recovered_at);
  const bad = isBadSince(verdict, timing.from) ?? (isOutdated ? null : late);
  if (!bad) return [];
  return [
    {
      type: 'HeartbeatWentDown',
      data: {
        heartbeat_id: id,
        number: times_down + 1,
        down_at: bad.at,
        because: bad.because,
        ping_id: last_ping.id,
        last_ping_at: last_ping.at,
      },
    },
  ];
};

/** The verdict that a run has failed, unless the heartbeat began anew since. */
const isBadSince = (verdict: Standing['verdict'], from: Instant): Late | null =>
  verdict !== null && verdict.because !== null && verdict.at >= from
    ? { at: verdict.at, because: verdict.because }
    : null;
