import { instantOf, millisecondsOf, type Instant } from '../time.ts';

/** When what has failed is tried again. */
interface Schedule {
  /** pauses after the first, second, … try, milliseconds */
  pauses: readonly number[];
  /** the pause after each further try, milliseconds; null: then nothing more is tried */
  further: number | null;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** For programs, which are called (decisions.md: Subscribers). */
const BRISK: Schedule = { pauses: [5_000, 30_000, 2 * MINUTE, 10 * MINUTE, HOUR], further: null };
/** For what others carry on: a relay that puts mail off wants to be asked again for a day. */
const PATIENT: Schedule = { pauses: [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR], further: HOUR };

/** By the name of the notifier. */
const SCHEDULES: ReadonlyMap<string, Schedule> = new Map([
  ['email', PATIENT],
  ['sms', PATIENT],
]);

/** How long a message is worth telling, if its cause says nothing else. */
const WORTH_TELLING_MS = 24 * HOUR;

/** The longest pause that a target may ask for; it is tried then at the latest. */
export const LONGEST_PAUSE_MS = HOUR;

/** From when on a message is no longer worth telling. */
export const notAfter = (now: Instant): Instant => instantOf(millisecondsOf(now) + WORTH_TELLING_MS);

/**
 * When a delivery is tried again.
 *
 * @param tries how often it was tried before, without the try that has failed now
 * @param notBefore when its target wants to be tried again; null if it said nothing
 * @returns null if it has been tried often enough
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
  return instantOf(millisecondsOf(now) + Math.max(pause, Math.min(wanted, LONGEST_PAUSE_MS)));
};
