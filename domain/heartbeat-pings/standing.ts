import { expectation, expectedByPing, later } from '../heartbeat/timing.ts';
import type { DownBecause } from '../heartbeat/events.ts';
import { laterOf, millisecondsOf, type Instant } from '../time.ts';
import type { HeartbeatPinged, HeartbeatRescheduled, Timing } from './events.ts';

/** How the last run of a job ended, as its pings say. */
export interface Verdict {
  /** null: it ended well */
  because: DownBecause | null;
  at: Instant;
  ping_id: string;
}

/** All that pings say of a heartbeat. */
export interface Standing {
  /** of the newest timing that is known */
  number: number;
  /** null while it is paused, or where the timing is only known by what pings expect */
  timing: Timing | null;
  /** of any kind; null: none came yet */
  last_ping: { id: string; at: Instant } | null;
  /** since when a run is under way; null: none is, or it does not say so */
  started_at: Instant | null;
  /** when the next ping is expected; null: it is paused, or none came yet */
  expected_at: Instant | null;
  /** when that is too late */
  late_at: Instant | null;
  /** when the run under way takes too long */
  overrun_at: Instant | null;
  /**
   * the earliest moment at which it can have gone down since its last run ended: by the times that hold now, by those
   * that held before, or by an earlier start; null: at none
   */
  down_from: Instant | null;
  verdict: Verdict | null;
}

/** A ping that was received in time is stored by then; results wait for others to share their append. Seconds. */
export const STORED_WITHIN = 1;

export const NO_PINGS: Standing = {
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

/** When a heartbeat goes down if no ping comes, and why; null: it does not. */
export const downAtOf = ({
  late_at,
  overrun_at,
}: Pick<Standing, 'late_at' | 'overrun_at'>): { at: Instant; because: DownBecause } | null => {
  if (overrun_at !== null && (late_at === null || overrun_at < late_at))
    return { at: overrun_at, because: 'took_too_long' };
  return late_at === null ? null : { at: late_at, because: 'late' };
};

/** The same, with what is remembered of when it can have gone down. @param before null: its last run has just ended */
const withDownFrom = (standing: Standing, before: Standing | null): Standing => {
  const times = [before?.down_from ?? null, downAtOf(standing)?.at ?? null].filter((time) => time !== null);
  return { ...standing, down_from: times.length === 0 ? null : times.reduce(earlierOf) };
};

const earlierOf = (one: Instant, other: Instant): Instant => (one < other ? one : other);

/** What a ping expects, by the newest timing that is known: it may have been received under an older one. */
const expectedBy = (
  { number, timing }: Standing,
  ping: HeartbeatPinged,
): Pick<Standing, 'expected_at' | 'late_at'> & { max_duration: number | null } => {
  if (ping.timing >= number) {
    return { expected_at: ping.expected_at, late_at: ping.down_at, max_duration: ping.max_duration ?? null };
  }
  if (!timing) return { expected_at: null, late_at: null, max_duration: null };
  const { max_duration } = timing;
  const after = laterOf(ping.received_at, timing.from);
  return { ...(ping.kind === 'start' ? expectation(timing, after) : expectedByPing(timing, after)), max_duration };
};

/** Whole milliseconds that a run took that this ping ends; null: nobody knows when it began. */
export const durationOf = ({ started_at }: Standing, { kind, received_at }: HeartbeatPinged): number | null =>
  kind === 'start' || started_at === null
    ? null
    : Math.max(0, millisecondsOf(received_at) - millisecondsOf(started_at));

/** What is known after a ping. */
export const afterPing = (standing: Standing, ping: HeartbeatPinged): Standing => {
  const { ping_id, kind, received_at, timing } = ping;
  const { max_duration, ...expected } = expectedBy(standing, ping);
  const known = {
    ...standing,
    number: Math.max(standing.number, timing),
    ...(timing > standing.number && { timing: null }),
    last_ping: { id: ping_id, at: received_at },
  };
  if (kind === 'start') {
    // The end of the run is what was expected before. The first ping of all begins to expect something, and so does
    // the first after a change of times that only this ping tells of yet.
    const waits = standing.expected_at === null || timing > standing.number ? expected : {};
    const overrun_at = expected.late_at === null || max_duration === null ? null : later(received_at, max_duration);
    return withDownFrom({ ...known, ...waits, started_at: received_at, overrun_at }, standing);
  }
  const duration = durationOf(standing, ping);
  const tooLong = duration !== null && max_duration !== null && duration > max_duration * 1_000;
  const because = kind === 'fail' ? 'failed' : tooLong ? 'took_too_long' : null;
  const verdict: Verdict = { because, at: received_at, ping_id };
  return withDownFrom({ ...known, ...expected, started_at: null, overrun_at: null, verdict }, null);
};

/** What is known after pings are expected at other times, or at none, or after that was said again. */
export const afterRescheduling = (standing: Standing, event: HeartbeatRescheduled): Standing =>
  event.number < standing.number ? standing : withDownFrom(rescheduled(standing, event), standing);

const rescheduled = (standing: Standing, { number, timing, known }: HeartbeatRescheduled): Standing => {
  const remembered: Standing =
    known && standing.last_ping === null
      ? {
          ...standing,
          last_ping: { id: known.ping_id, at: known.last_ping_at },
          expected_at: known.expected_at,
          late_at: known.down_at,
        }
      : standing;
  // A ping of this timing may have come before it.
  if (number === standing.number || known) return { ...remembered, number, timing };
  if (!timing) {
    return { ...remembered, number, timing, started_at: null, expected_at: null, late_at: null, overrun_at: null };
  }
  const { started_at, last_ping } = remembered;
  const overrun_at =
    started_at === null || timing.max_duration === null
      ? null
      : laterOf(later(started_at, timing.max_duration), timing.from);
  return { ...remembered, number, timing, ...(last_ping && expectation(timing, timing.from)), overrun_at };
};
