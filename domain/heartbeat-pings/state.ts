import { expectation, expectedByPing } from '../heartbeat/expectation.ts';
import type { DownBecause } from '../heartbeat/events.ts';
import { later, laterOf, millisecondsOf, SECOND_MS, type Instant } from '../time.ts';
import type { HeartbeatPinged, HeartbeatRescheduled, Timing } from './events.ts';

/** The outcome of the most recently completed run of a job, according to its pings. */
export interface PingVerdict {
  /** null: the run succeeded */
  because: DownBecause | null;
  at: Instant;
  ping_id: string;
}

/** The state of a heartbeat according to its pings. */
export interface PingState {
  /** version of the newest known timing */
  number: number;
  /** null if the heartbeat is paused, or if pings under this timing were stored before the timing itself */
  timing: Timing | null;
  /** the newest ping of any kind; null before the first ping */
  last_ping: { id: string; at: Instant } | null;
  /** when the current run started; null if no run is known to be in progress */
  started_at: Instant | null;
  /** when the next ping is expected; null if the heartbeat is paused, or before the first ping */
  expected_at: Instant | null;
  /** when the heartbeat becomes late if no further ping is received before then */
  late_at: Instant | null;
  /** when the current run exceeds `max_duration` */
  overrun_at: Instant | null;
  /**
   * The earliest instant at which the heartbeat may have gone down after the most recent run ended. The current timing,
   * an earlier timing, or an earlier start ping can determine this instant. Null if there is no such instant.
   */
  down_from: Instant | null;
  verdict: PingVerdict | null;
}

/** Maximum time from receiving a ping to storing it, in seconds. Several pings share one append. */
export const STORED_WITHIN = 1;

export const INITIAL_PING_STATE: PingState = {
  number: 0,
  timing: null,
  last_ping: null,
  started_at: null,
  expected_at: null,
  late_at: null,
  overrun_at: null,
  down_from: null,
  verdict: null,
};

/** Returns when and why a heartbeat goes down unless it is pinged before; null if it does not go down. */
export const downAtOf = ({
  late_at,
  overrun_at,
}: Pick<PingState, 'late_at' | 'overrun_at'>): { at: Instant; because: DownBecause } | null => {
  if (overrun_at !== null && (late_at === null || overrun_at < late_at))
    return { at: overrun_at, because: 'took_too_long' };
  return late_at === null ? null : { at: late_at, because: 'late' };
};

/** Updates `down_from`. @param before the previous state; null if a run of the job has just ended */
const withDownFrom = (standing: PingState, before: PingState | null): PingState => {
  const times = [before?.down_from ?? null, downAtOf(standing)?.at ?? null].filter((time) => time !== null);
  return { ...standing, down_from: times.length === 0 ? null : times.reduce(earlierOf) };
};

const earlierOf = (one: Instant, other: Instant): Instant => (one < other ? one : other);

/**
 * Returns the expectation after a ping, according to the newest known timing. The ping may have been received under an
 * earlier timing.
 */
const expectedBy = (
  { number, timing }: PingState,
  ping: HeartbeatPinged,
): Pick<PingState, 'expected_at' | 'late_at'> & { max_duration: number | null } => {
  if (ping.timing >= number) {
    return { expected_at: ping.expected_at, late_at: ping.down_at, max_duration: ping.max_duration ?? null };
  }
  if (!timing) return { expected_at: null, late_at: null, max_duration: null };
  const { max_duration } = timing;
  const after = laterOf(ping.received_at, timing.from);
  return { ...(ping.kind === 'start' ? expectation(timing, after) : expectedByPing(timing, after)), max_duration };
};

/** Returns the duration of the run that a ping ends, in whole milliseconds; null if the start of the run is unknown. */
export const durationOf = ({ started_at }: PingState, { kind, received_at }: HeartbeatPinged): number | null =>
  kind === 'start' || started_at === null
    ? null
    : Math.max(0, millisecondsOf(received_at) - millisecondsOf(started_at));

/** Returns the state after a ping. */
export const afterPing = (standing: PingState, ping: HeartbeatPinged): PingState => {
  const { ping_id, kind, received_at, timing } = ping;
  const { max_duration, ...expected } = expectedBy(standing, ping);
  const known = {
    ...standing,
    number: Math.max(standing.number, timing),
    ...(timing > standing.number && { timing: null }),
    last_ping: { id: ping_id, at: received_at },
  };
  if (kind === 'start') {
    // A start ping does not change when the next ping is expected. There are two exceptions: the very first ping, and
    // the first ping with a newer timing.
    const waits = standing.expected_at === null || timing > standing.number ? expected : {};
    const overrun_at =
      expected.late_at === null || max_duration === null ? null : later(received_at, max_duration * SECOND_MS);
    return withDownFrom({ ...known, ...waits, started_at: received_at, overrun_at }, standing);
  }
  const duration = durationOf(standing, ping);
  const tooLong = duration !== null && max_duration !== null && duration > max_duration * SECOND_MS;
  const because = kind === 'fail' ? 'failed' : tooLong ? 'took_too_long' : null;
  const verdict: PingVerdict = { because, at: received_at, ping_id };
  return withDownFrom({ ...known, ...expected, started_at: null, overrun_at: null, verdict }, null);
};

/** Returns the state after the timing was changed or repeated. */
export const afterRescheduling = (standing: PingState, event: HeartbeatRescheduled): PingState =>
  event.number < standing.number ? standing : withDownFrom(rescheduled(standing, event), standing);

const rescheduled = (standing: PingState, { number, timing, known }: HeartbeatRescheduled): PingState => {
  const remembered: PingState =
    known && standing.last_ping === null
      ? {
          ...standing,
          last_ping: { id: known.ping_id, at: known.last_ping_at },
          expected_at: known.expected_at,
          late_at: known.down_at,
        }
      : standing;
  // The number can be known already: a ping under this timing may have been stored before the timing itself.
  if (number === standing.number || known) return { ...remembered, number, timing };
  if (!timing) {
    return { ...remembered, number, timing, started_at: null, expected_at: null, late_at: null, overrun_at: null };
  }
  const { started_at, last_ping } = remembered;
  const overrun_at =
    started_at === null || timing.max_duration === null
      ? null
      : laterOf(later(started_at, timing.max_duration * SECOND_MS), timing.from);
  return { ...remembered, number, timing, ...(last_ping && expectation(timing, timing.from)), overrun_at };
};
