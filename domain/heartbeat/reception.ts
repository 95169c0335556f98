import { downAtOf, type PingState } from '../heartbeat-pings/state.ts';
import { instantOf, laterOf, millisecondsOf, type Instant } from '../time.ts';
import type { LateHeartbeat } from './evaluation.ts';

/**
 * The period in which the service could receive pings, in milliseconds since 1970. A missing ping that was expected
 * before this period proves nothing, because the service was not reachable.
 */
export interface Reception {
  since: number;
  /** updated every {@link RECEPTION_RECORDED_MS} while pings can be received */
  until: number;
}

export const RECEPTION_RECORDED_MS = 5_000;
/**
 * A new period starts if the most recent update is longer ago than this time, or if the clock jumped by more than it.
 */
const INTERRUPTED_MS = 15_000;

const isInterrupted = ({ until }: Reception, now: number): boolean => Math.abs(now - until) > INTERRUPTED_MS;

/** Returns the period after an update by a process that receives pings. */
export const recordedReception = (known: Reception | null, now: number): Reception =>
  known === null || isInterrupted(known, now)
    ? { since: now, until: now }
    : { since: Math.min(known.since, now), until: now };

/** Either a late heartbeat, or when to evaluate the heartbeat again, in milliseconds since 1970. */
type Lateness = { late: LateHeartbeat } | { again: number };

/**
 * Decides whether a heartbeat is late. If the service could not receive pings at some time after a ping was expected,
 * the grace period starts again when the service can receive pings again. As long as no process receives pings, no
 * heartbeat is late.
 */
export const latenessOf = (standing: PingState, reception: Reception | null, now: Instant): Lateness | null => {
  const down = downAtOf(standing);
  if (!down) return null;
  const at = millisecondsOf(now);
  if (!reception || isInterrupted(reception, at)) return { again: at + RECEPTION_RECORDED_MS };
  const { expected_at, late_at, started_at } = standing;
  const awaitedSince = down.because === 'late' ? expected_at : started_at;
  const listening = instantOf(reception.since);
  if (awaitedSince === null || awaitedSince >= listening) return { late: down };
  const grace = expected_at === null || late_at === null ? 0 : millisecondsOf(late_at) - millisecondsOf(expected_at);
  const earliest = laterOf(down.at, instantOf(reception.since + grace));
  return now >= earliest ? { late: { ...down, at: earliest } } : { again: millisecondsOf(earliest) };
};
