import type { Instant } from './time.ts';

/** Returns the end of a mute; null if no mute is in effect at `now` (docs/reference/alerts.md#muting). */
export const mutedUntil = (until: Instant | null, now: Instant): Instant | null =>
  until !== null && until > now ? until : null;

/** A change of a mute: its new and its previous end. */
export interface MuteChange {
  muted_until: Instant | null;
  previous: Instant | null;
}

/**
 * Returns the change that makes a mute end at `wanted`. Instants in the past count as null.
 *
 * @returns null if nothing changes
 */
export const muteChange = (before: Instant | null, wanted: Instant | null, now: Instant): MuteChange | null => {
  const [previous, muted_until] = [mutedUntil(before, now), mutedUntil(wanted, now)];
  return previous === muted_until ? null : { muted_until, previous };
};
