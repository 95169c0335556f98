import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { credentialOf } from './authorization.ts';

/** Who may read the metrics without an API key. */
export interface MetricsAccess {
  /** METRICS_TOKEN */
  token: string | null;
  /** whether requests from this machine may: only safe if no proxy on it forwards requests of others */
  loopback: boolean;
}

/**
 * Whether the origin or the token of a request allows reading the metrics. A forwarding header denies access by origin,
 * even if no proxy is configured.
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

/** Whether an IPv4 or IPv6 address is a loopback address. */
export const isLoopback = (address: string): boolean => address === '::1' || /^(?:::ffff:)?127\./.test(address);

/** Compares in constant time for all lengths. */
const sameText = (one: string, other: string): boolean =>
  timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
