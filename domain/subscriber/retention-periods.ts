import { DAY_MS, HOUR_MS, later, type Instant } from '../time.ts';

/** Returns when an unconfirmed subscription is removed. */
export const unconfirmedUntil = (requested: Instant): Instant => later(requested, 7 * DAY_MS);
/** Returns when a quarantined subscription is removed (docs/reference/subscribers.md#purge). */
export const quarantinedUntil = (quarantined: Instant): Instant => later(quarantined, 90 * DAY_MS);

/** Returns the time at which a subscription to one incident is removed, counted from the end of the incident. */
export const followedUntil = (incidentEnded: Instant): Instant => later(incidentEnded, 7 * DAY_MS);
/** Returns the time until which messages are also signed with the previous secret, counted from the rotation. */
export const formerSecretUntil = (rotated: Instant): Instant => later(rotated, DAY_MS);
/** Returns the start of the 24 hours in which confirmation messages to an address are counted. */
export const dayBefore = (now: Instant): Instant => later(now, -DAY_MS);
/** Returns the start of the hour in which unconfirmed subscriptions of a page are counted. */
export const hourBefore = (now: Instant): Instant => later(now, -HOUR_MS);
