import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../client-address.ts';

export interface PoolLimits {
  /** maximum number of connections of callers */
  total: number;
  /** maximum number of connections of callers per IPv4 address or IPv6 /64 network */
  perAddress: number;
  /** maximum number of connections of visitors, in a separate pool; 0: visitors share the pool of callers */
  visitors: number;
  /** the same for event streams under `/v1`; 0: they share the pool of callers */
  streams: number;
  /** addresses without a limit per address: a proxy has the connections of all clients */
  exempt: (address: string) => boolean;
}

/** Counts the connections of a pool, in total and by address. */
interface Pool {
  /** Adds a connection. @param network null: not counted by address. @returns false: the pool is full */
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

/** `visit`: a visitor of a status page; `stream`: an event stream; `call`: any other request. */
export type RequestKind = 'call' | 'visit' | 'stream';

/** The path of event streams. */
export const EVENTS_PATH = '/v1/events';

/** Classifies requests. @param isVisit whether a request is for a status page */
export const createKindOf =
  (isVisit: (request: IncomingMessage) => boolean = () => false) =>
  (request: IncomingMessage): RequestKind => {
    if (isVisit(request)) return 'visit';
    const { url = '' } = request;
    return url === EVENTS_PATH || url.startsWith(`${EVENTS_PATH}?`) ? 'stream' : 'call';
  };

/** `accepted`, or what to do since the pool of the request is full: `close` the connection, or `refuse` with an error. */
export type PoolAssignment = 'accepted' | 'close' | 'refuse';

/**
 * Separate connection pools for visitors of status pages, event streams and other callers, so that none can exhaust the
 * connections of the others. A connection belongs to the pool of its last request, and to none before its first
 * request. One address may have half of the visitors and half of the streams, since a whole company may be behind one
 * address. Connections beyond the limits are closed without a response.
 *
 * @returns assigns the connection of a request to its pool. `close`: close the connection. `refuse`: respond with an
 * error, since a person is waiting
 */
export const poolConnections = (
  server: Server,
  { total, perAddress, visitors, streams, exempt }: PoolLimits,
  kindOf: (request: IncomingMessage) => RequestKind,
): ((request: IncomingMessage) => PoolAssignment) => {
  server.maxConnections = total + visitors + streams;
  const callers = createPool(total, perAddress);
  const shared = (most: number): Pool => (most === 0 ? callers : createPool(most, Math.ceil(most / 2)));
  const pools: Record<RequestKind, Pool> = { call: callers, visit: shared(visitors), stream: shared(streams) };
  const isOne = visitors === 0 && streams === 0;
  const arriving = isOne
    ? callers
    : createPool(total + visitors + streams, perAddress + Math.ceil(visitors / 2) + Math.ceil(streams / 2));
  const memberships = new WeakMap<Socket, { pool: Pool; network: string | null }>();

  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress;
    // Without an address, the client has already disconnected.
    if (address === undefined) return;
    const membership = { pool: arriving, network: exempt(address) ? null : networkOf(address) };
    if (!arriving.enter(membership.network)) {
      socket.destroy();
      return;
    }
    memberships.set(socket, membership);
    socket.once('close', () => {
      membership.pool.leave(membership.network);
    });
  });

  return (request) => {
    const membership = memberships.get(request.socket);
    if (!membership || isOne) return 'accepted';
    const wanted = pools[kindOf(request)];
    if (membership.pool === wanted) return 'accepted';
    if (!wanted.enter(membership.network)) return wanted === callers ? 'close' : 'refuse';
    membership.pool.leave(membership.network);
    membership.pool = wanted;
    return 'accepted';
  };
};
