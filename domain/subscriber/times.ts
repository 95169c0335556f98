import { instantOf, millisecondsOf, type Instant } from '../time.ts';

const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;

export const later = (instant: Instant, milliseconds: number): Instant =>
  instantOf(millisecondsOf(instant) + milliseconds);

/** When a subscription is removed that nobody confirms. */
export const unconfirmedUntil = (asked: Instant): Instant => later(asked, 7 * DAY);

/** When a subscription is removed that can't be reached (decisions.md: Subscribers). */
export const quarantinedUntil = (quarantined: Instant): Instant => later(quarantined, 90 * DAY);

/** When a subscription to one incident ends. */
export const followedUntil = (incidentEnded: Instant): Instant => later(incidentEnded, 7 * DAY);

/** Until when messages are also signed with the secret before the last rotation. */
export const formerSecretUntil = (rotated: Instant): Instant => later(rotated, DAY);

/** The beginning of the day in which confirmation messages to an address are counted. */
export const dayBefore = (now: Instant): Instant => later(now, -DAY);

/** The beginning of the hour in which unconfirmed subscriptions of a page are counted. */
export const hourBefore = (now: Instant): Instant => later(now, -HOUR);
