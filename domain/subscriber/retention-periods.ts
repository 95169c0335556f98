import { DAY_MS, HOUR_MS, later, type Instant } from '../time.ts';

/** When an unconfirmed subscription is removed. */
export const unconfirmedUntil = (requested: Instant): Instant => later(requested, 7 * DAY_MS);
/** When an unreachable subscription is removed (docs/reference/subscribers.md#purge). */
export const quarantinedUntil = (quarantined: Instant): Instant => later(quarantined, 90 * DAY_MS);

/** When a subscription to one incident ends. */
export const followedUntil = (incidentEnded: Instant): Instant => later(incidentEnded, 7 * DAY_MS);
/** Until when messages are also signed with the previous secret after a rotation. */
export const formerSecretUntil = (rotated: Instant): Instant => later(rotated, DAY_MS);
/** The start of the 24 hours in which confirmation messages to an address are counted. */
export const dayBefore = (now: Instant): Instant => later(now, -DAY_MS);
/** The start of the hour in which unconfirmed subscriptions of a page are counted. */
export const hourBefore = (now: Instant): Instant => later(now, -HOUR_MS);
