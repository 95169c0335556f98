import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { credentialOf } from './authorization.ts';

/** Who is allowed to read the metrics without an API key. */
export interface MetricsAccess {
  /** the value of METRICS_TOKEN; a request with this token is allowed */
  token: string | null;
  /**
   * whether requests from this machine are allowed. Only safe if no proxy on this machine forwards requests of others
   */
  loopback: boolean;
}

/**
 * Returns whether a request may read the metrics, because it has the token or comes from this machine. A request with a
 * forwarding header does not count as coming from this machine, even if no proxy is configured.
 */
export const mayReadMetrics = (
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  { token, loopback }: MetricsAccess,
): boolean => {
  const given = credentialOf(headers.authorization);
  if (token !== null && given !== null && sameText(given, token)) return true;
  const forwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  return loopback && !forwarded && isLoopback(socket.remoteAddress ?? '');
};

/** Returns whether an IPv4 or IPv6 address is a loopback address. */
export const isLoopback = (address: string): boolean => address === '::1' || /^(?:::ffff:)?127\./.test(address);

/** Compares texts of any length in constant time. */
const sameText = (one: string, other: string): boolean =>
  timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
