import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from './client-address.ts';

export interface PoolLimits {
  /** connections of callers at once */
  total: number;
  /** connections of callers at once from one address, or from one network of IPv6 (64 bits) */
  perAddress: number;
  /** connections of visitors at once, which are not among the others; 0: visitors are callers */
  visitors: number;
  /** the same for streams of events under `/v1`; 0: they are ordinary calls */
  streams: number;
  /** whose connections are not counted by address: a proxy has those of everybody */
  exempt: (address: string) => boolean;
}

/** Counts the connections of a pool, and those of each address in it. */
interface Pool {
  /** Takes a place. @param network null: it is not counted. @returns false: there is none */
  enter: (network: string | null) => boolean;
  leave: (network: string | null) => void;
}

const createPool = (total: number, perAddress: number): Pool => {
  const open = new Map<string, number>();
  let all = 0;
  return {
    enter: (network) => {
      if (all >= total) return false;
      if (network !== null) {
        const count = open.get(network) ?? 0;
        if (count >= perAddress) return false;
        open.set(network, count + 1);
      }
      all += 1;
      return true;
    },
    leave: (network) => {
      all -= 1;
      if (network === null) return;
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    },
  };
};

/** What a request is: that of a visitor of a status page, of a stream of events, or an ordinary call. */
export type RequestKind = 'call' | 'visit' | 'stream';

/** Where streams of events are requested. */
export const EVENTS_PATH = '/v1/events';

/** What requests are. @param isVisit whether one is for a status page */
export const kindsOfRequests =
  (isVisit: (request: IncomingMessage) => boolean = () => false) =>
  (request: IncomingMessage): RequestKind => {
    if (isVisit(request)) return 'visit';
    const { url = '' } = request;
    return url === EVENTS_PATH || url.startsWith(`${EVENTS_PATH}?`) ? 'stream' : 'call';
  };

/** What becomes of a connection with a request: it goes on, or there is no place for it in the pool of the request. */
export type Placed = 'placed' | 'no place' | 'refused';

/**
 * Keeps the connections of visitors of status pages, and of streams of events, apart from those of other callers, so that
 * none take places from the others. A connection belongs to the pool of its last request; until its first one it belongs
 * to none. One address may have half of the visitors, and half of the streams: a company whose people all look at a page
 * is behind one. Connections beyond the limits are closed without an answer.
 *
 * @returns places the connection of a request; `refused`: its client is to be told that there is no place
 */
export const poolConnections = (
  server: Server,
  { total, perAddress, visitors, streams, exempt }: PoolLimits,
  kindOf: (request: IncomingMessage) => RequestKind,
): ((request: IncomingMessage) => Placed) => {
  server.maxConnections = total + visitors + streams;
  const callers = createPool(total, perAddress);
  const shared = (most: number): Pool => (most === 0 ? callers : createPool(most, Math.ceil(most / 2)));
  const pools: Record<RequestKind, Pool> = { call: callers, visit: shared(visitors), stream: shared(streams) };
  const isOne = visitors === 0 && streams === 0;
  const arriving = isOne
    ? callers
    : createPool(total + visitors + streams, perAddress + Math.ceil(visitors / 2) + Math.ceil(streams / 2));
  const places = new WeakMap<Socket, { pool: Pool; network: string | null }>();

  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress;
    // Without an address the client has left already.
    if (address === undefined) return;
    const place = { pool: arriving, network: exempt(address) ? null : networkOf(address) };
    if (!arriving.enter(place.network)) {
      socket.destroy();
      return;
    }
    places.set(socket, place);
    socket.once('close', () => {
      place.pool.leave(place.network);
    });
  });

  return (request) => {
    const place = places.get(request.socket);
    if (!place || isOne) return 'placed';
    const wanted = pools[kindOf(request)];
    if (place.pool === wanted) return 'placed';
    if (!wanted.enter(place.network)) return wanted === callers ? 'no place' : 'refused';
    place.pool.leave(place.network);
    place.pool = wanted;
    return 'placed';
  };
};
