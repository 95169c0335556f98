import { DAY_MS, HOUR_MS, instantOf, later, millisecondsOf, MINUTE_MS, SECOND_MS, type Instant } from '../time.ts';

/** The backoff after failed attempts. */
interface Schedule {
  /** pauses after the first, second, … attempt, in milliseconds */
  pauses: readonly number[];
  /** the pause after each further attempt, in milliseconds; null: no further attempts */
  further: number | null;
}

/** The schedule for targets that are called directly, such as webhooks (docs/reference/deliveries.md#retries). */
const BRISK: Schedule = {
  pauses: [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS],
  further: null,
};
/** The schedule for messages that are sent through a relay. A relay that defers mail expects retries for a day. */
const PATIENT: Schedule = { pauses: [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS], further: HOUR_MS };

/** Schedules by the name of the notifier. Other notifiers use {@link BRISK}. */
const SCHEDULES: ReadonlyMap<string, Schedule> = new Map([
  ['email', PATIENT],
  ['sms', PATIENT],
]);

/** The default lifetime of a message. */
const LIFETIME_MS = DAY_MS;
/** The maximum pause before a retry that a target can request. */
export const MAX_RETRY_DELAY_MS = HOUR_MS;
/** Returns when a message expires by default. */
export const deliveryExpiryOf = (now: Instant): Instant => later(now, LIFETIME_MS);
/**
 * Returns when a delivery is retried.
 *
 * @param tries the number of earlier attempts, without the attempt that has just failed
 * @param notBefore the earliest time for a retry that the target requested; null if it requested none
 * @returns null if no attempt is left
 */
export const retryAt = (
  now: Instant,
  { notifier, tries }: { notifier: string; tries: number },
  notBefore: Instant | null,
): Instant | null => {
  const { pauses, further } = SCHEDULES.get(notifier) ?? BRISK;
  const pause = pauses[tries] ?? further;
  if (pause === null) return null;
  const wanted = notBefore === null ? 0 : millisecondsOf(notBefore) - millisecondsOf(now);
  return instantOf(millisecondsOf(now) + Math.max(pause, Math.min(wanted, MAX_RETRY_DELAY_MS)));
};
