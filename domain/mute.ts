import type { Instant } from './time.ts';

/** Until when something is muted, as of a moment; null: it is not, or no longer (decisions.md: Muted checks and rules). */
export const mutedUntil = (until: Instant | null, now: Instant): Instant | null =>
  until !== null && until > now ? until : null;

/** A change of what something is muted until: the new and the previous instant. */
export interface MuteChange {
  muted_until: Instant | null;
  previous: Instant | null;
}

/** What muting until an instant changes; instants that have passed count as none. @returns null: nothing */
export const muteChange = (before: Instant | null, wanted: Instant | null, now: Instant): MuteChange | null => {
  const [previous, muted_until] = [mutedUntil(before, now), mutedUntil(wanted, now)];
  return previous === muted_until ? null : { muted_until, previous };
};
