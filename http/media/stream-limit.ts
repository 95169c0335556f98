import type { EventEmitter } from 'node:events';
import { networkOf } from '../client-address.ts';
import { HttpError } from '../errors.ts';

/** Maximum number of open endless responses: each occupies a connection for as long as its client likes. */
export const STREAM_LIMITS = {
  /** less than half of the connections, since ordinary requests need the rest */
  total: 2_000,
  /** per IPv4 address or IPv6 /64 network */
  perAddress: 100,
};

/**
 * The same for event streams of status pages, whose visitors have a connection pool of their own (http/connections/pools.ts);
 * MAX_VISITORS may be lower. The limit per address is high, since a whole company may be behind one address.
 */
export const VISIT_STREAM_LIMITS = { total: 12_000, perAddress: 6_000 };

/** Default of MAX_STREAMS: event streams under `/v1`, which also have a connection pool of their own. */
export const MOST_EVENT_STREAMS = 2_000;

/** Limits for a number of event streams: one address may have half of them. 0: the limits of other streams. */
export const eventStreamLimits = (most: number): typeof STREAM_LIMITS => {
  const total = most === 0 ? STREAM_LIMITS.total : most;
  return { total, perAddress: Math.ceil(total / 2) };
};

/** Counts an endless response until it is closed. @throws HttpError 429, 503 with `Retry-After` */
export type AdmitStream = (address: string | undefined, response: EventEmitter) => void;

/** Seconds after which a client may retry. */
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
