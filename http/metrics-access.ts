import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { keyOf } from './authorization.ts';

/** Who may read the metrics without an API key. */
export interface MetricsAccess {
  /** METRICS_TOKEN */
  token: string | null;
  /** whether this machine may: no proxy on it passes on requests of others */
  loopback: boolean;
}

/**
 * Whether a request may read the metrics because of its origin or its token. A missing header never grants access. A
 * header added by a proxy denies the access of this machine, even if no proxy was declared.
 */
export const mayReadMetrics = (
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  { token, loopback }: MetricsAccess,
): boolean => {
  const given = keyOf(headers.authorization);
  if (token !== null && given !== null && sameText(given, token)) return true;
  const forwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  return loopback && !forwarded && isLoopback(socket.remoteAddress ?? '');
};

/** Whether an address is this machine's own, of either family. */
export const isLoopback = (address: string): boolean => address === '::1' || /^(?:::ffff:)?127\./.test(address);

/** In constant time for all lengths. */
const sameText = (one: string, other: string): boolean =>
  timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
