import type { EventEmitter } from 'node:events';
import { networkOf } from '../client-address.ts';
import { HttpError } from '../errors.ts';

/** Limits of open endless responses. Each occupies a connection until its client closes it. */
export const STREAM_LIMITS = {
  /** maximum in total; less than half of all connections, because ordinary requests need the rest */
  total: 2_000,
  /** maximum per IPv4 address or IPv6 /64 network */
  perAddress: 100,
};

/**
 * Limits of open event streams of status pages. Visitors have a separate connection pool (http/connections/pools.ts),
 * and MAX_VISITORS may be lower than these limits. The limit per address is high, because a whole company may share one
 * address.
 */
export const VISIT_STREAM_LIMITS = { total: 12_000, perAddress: 6_000 };

/** Default of MAX_STREAMS: maximum number of event streams under `/v1`, which also have a separate connection pool. */
export const MOST_EVENT_STREAMS = 2_000;

/**
 * Returns the limits for a maximum number of event streams. One address may have half of the streams.
 *
 * @param most maximum number; 0: the limits of other endless responses
 */
export const eventStreamLimits = (most: number): typeof STREAM_LIMITS => {
  const total = most === 0 ? STREAM_LIMITS.total : most;
  return { total, perAddress: Math.ceil(total / 2) };
};

/**
 * Counts an endless response until it is closed.
 *
 * @throws HttpError 429, 503 with `Retry-After`
 */
export type AdmitStream = (address: string | undefined, response: EventEmitter) => void;

/** Header that tells a client to retry after 30 seconds. */
const RETRY_AFTER = { 'Retry-After': '30' };

export const createStreamLimit = ({ total, perAddress } = STREAM_LIMITS): AdmitStream => {
  const open = new Map<string, number>();
  let all = 0;
  return (address, response) => {
    const network = networkOf(address ?? '');
    const own = open.get(network) ?? 0;
    if (own >= perAddress) {
      throw new HttpError(429, 'Too many streams are open from this address.', { headers: RETRY_AFTER });
    }
    if (all >= total) throw new HttpError(503, 'Too many streams are open at the moment.', { headers: RETRY_AFTER });
    open.set(network, own + 1);
    all += 1;
    response.once('close', () => {
      all -= 1;
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
  };
};
