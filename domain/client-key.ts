import type { Instant } from './time.ts';

/** Whose address and user agent a key seals: callers with a key or a session, or visitors, who show neither. */
export type ClientKind = 'clients' | 'visitors';

/** A month of the UTC calendar, `YYYY-MM`. */
export type Month = string;

/** The UTC month of an instant. */
export const monthOf = (instant: Instant): Month => instant.slice(0, 'yyyy-mm'.length);

/**
 * Name of the key that seals where requests came from (address and user agent): one for all callers of an organization
 * in a month, so that each month can be forgotten by itself and no name says who came again (docs/decisions.md:
 * Visitors; Audit).
 *
 * @param now when the request came
 */
export const clientKey = (kind: ClientKind, organizationId: string, now: Instant): string =>
  `${kind}-${organizationId}-${monthOf(now)}`;

const NAME = /^(?:clients|visitors)-.*-(\d{4}-(?:0[1-9]|1[0-2]))$/s;

/** The month whose callers a key seals; null for every other key. */
export const monthOfKey = (name: string): Month | null => NAME.exec(name)?.[1] ?? null;
