import type { Instant } from './time.ts';

/** The end of a mute that is in effect at `now`; null if not muted (docs/reference/alerts.md#muting). */
export const mutedUntil = (until: Instant | null, now: Instant): Instant | null =>
  until !== null && until > now ? until : null;

/** A change of a mute: the new and the previous end. */
export interface MuteChange {
  muted_until: Instant | null;
  previous: Instant | null;
}

/** The change by muting until an instant; past instants count as null. @returns null if nothing changes */
export const muteChange = (before: Instant | null, wanted: Instant | null, now: Instant): MuteChange | null => {
  const [previous, muted_until] = [mutedUntil(before, now), mutedUntil(wanted, now)];
  return previous === muted_until ? null : { muted_until, previous };
};
