import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { keyOf } from './authorization.ts';

/** Who may read the figures without an API key. */
export interface MetricsAccess {
  /** METRICS_TOKEN */
  token: string | null;
  /** whether this machine may: no proxy on it passes on what others ask */
  loopback: boolean;
}

/**
 * Whether a request may read the figures by where it comes from, or by the token. That a header is absent never
 * opens anything; one that a proxy has added closes the door of this machine, though no proxy was declared.
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

const isLoopback = (address: string): boolean => address === '::1' || /^(?:::ffff:)?127\./.test(address);

/** In constant time, whatever the lengths. */
const sameText = (one: string, other: string): boolean =>
  timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
