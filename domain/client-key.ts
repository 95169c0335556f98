import type { Instant } from './time.ts';

/**
 * The kind of callers whose address and user agent a key seals. `clients` authenticate with an API key or in a session.
 * `visitors` do not authenticate.
 */
export type ClientKind = 'clients' | 'visitors';

/** A month of the UTC calendar, `YYYY-MM`. */
export type Month = string;

/** The UTC month of an instant. */
export const monthOf = (instant: Instant): Month => instant.slice(0, 'yyyy-mm'.length);

/**
 * Returns the name of the key that seals the client address and user agent of requests. All callers of one kind in an
 * organization share one key per month. So each month can be erased separately, and key names do not identify returning
 * callers (docs/reference/visitors.md#visitor-data).
 *
 * @param now the time of the request
 */
export const clientKey = (kind: ClientKind, organizationId: string, now: Instant): string =>
  `${kind}-${organizationId}-${monthOf(now)}`;

const NAME = /^(?:clients|visitors)-.*-(\d{4}-(?:0[1-9]|1[0-2]))$/s;

/** Returns the month of a client key; null for any other key. */
export const monthOfKey = (name: string): Month | null => NAME.exec(name)?.[1] ?? null;
