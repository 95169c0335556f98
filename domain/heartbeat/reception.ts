import { downAtOf, type Standing } from '../heartbeat-pings/standing.ts';
import { instantOf, laterOf, millisecondsOf, type Instant } from '../time.ts';
import type { Late } from './judge.ts';

/**
 * From when to when pings could be received, milliseconds since 1970. While nobody listened, a job's ping was lost, and
 * its silence proves nothing.
 */
export interface Reception {
  since: number;
  /** noted every {@link RECEPTION_NOTED_MS} */
  until: number;
}

export const RECEPTION_NOTED_MS = 5_000;
/** Longer than that without a note, or a clock that jumps so far, and reception begins anew. */
const INTERRUPTED_MS = 15_000;

const isInterrupted = ({ until }: Reception, now: number): boolean => Math.abs(now - until) > INTERRUPTED_MS;

/** What is noted by a process that receives pings. */
export const notedReception = (known: Reception | null, now: number): Reception =>
  known === null || isInterrupted(known, now)
    ? { since: now, until: now }
    : { since: Math.min(known.since, now), until: now };

/** Whether a heartbeat is late, or when to look again, milliseconds since 1970. */
type Lateness = { late: Late } | { again: number };

/**
 * Whether a heartbeat is late by now, where its pings say so. If its ping could not be received at some time since it
 * was expected, its grace begins anew when pings can be received again, and while nobody receives pings, nobody is late.
 */
export const latenessOf = (standing: Standing, reception: Reception | null, now: Instant): Lateness | null => {
  const down = downAtOf(standing);
  if (!down) return null;
  const at = millisecondsOf(now);
  if (!reception || isInterrupted(reception, at)) return { again: at + RECEPTION_NOTED_MS };
  const { expected_at, late_at, started_at } = standing;
  const awaitedSince = down.because === 'late' ? expected_at : started_at;
  const listening = instantOf(reception.since);
  if (awaitedSince === null || awaitedSince >= listening) return { late: down };
  const grace = expected_at === null || late_at === null ? 0 : millisecondsOf(late_at) - millisecondsOf(expected_at);
  const earliest = laterOf(down.at, instantOf(reception.since + grace));
  return now >= earliest ? { late: { ...down, at: earliest } } : { again: millisecondsOf(earliest) };
};
