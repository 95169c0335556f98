import type { EventEmitter } from 'node:events';
import { networkOf } from '../client-address.ts';
import { HttpError } from '../errors.ts';

/** Endless answers that may be open at once: each holds a connection for as long as its client likes. */
export const STREAM_LIMITS = {
  /** less than half of the possible connections: ordinary requests need the others */
  total: 2_000,
  /** of one address, or of one network of IPv6 (64 bits) */
  perAddress: 100,
};

/**
 * The same for the events of status pages, whose visitors have connections of their own (http/pools.ts): MAX_VISITORS
 * may be lower. A company whose people all look at a page is behind one address.
 */
export const VISIT_STREAM_LIMITS = { total: 12_000, perAddress: 6_000 };

/** Streams of events under `/v1`, which have connections of their own, too: MAX_STREAMS, of which this is the default. */
export const MOST_EVENT_STREAMS = 2_000;

/** Limits of so many streams of events; half of them from one address. 0: as many as of other streams. */
export const eventStreamLimits = (most: number): typeof STREAM_LIMITS => {
  const total = most === 0 ? STREAM_LIMITS.total : most;
  return { total, perAddress: Math.ceil(total / 2) };
};

/** Counts an endless answer until it is closed. @throws HttpError 429, 503 with `Retry-After` */
export type AdmitStream = (address: string | undefined, response: EventEmitter) => void;

/** Seconds after which a client may try again. */
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
