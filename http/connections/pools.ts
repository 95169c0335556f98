import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../client-address.ts';

export interface PoolLimits {
  /** maximum number of connections of ordinary callers */
  total: number;
  /** maximum number of connections of ordinary callers per IPv4 address or IPv6 /64 network */
  perAddress: number;
  /** maximum number of connections of visitors, in a separate pool; 0: visitors use the pool of ordinary callers */
  visitors: number;
  /**
   * maximum number of connections of event streams under `/v1`, in a separate pool; 0: event streams use the pool of
   * ordinary callers
   */
  streams: number;
  /** returns whether an address has no limit. This is for proxies, which make the connections of all their clients */
  exempt: (address: string) => boolean;
}

/** Counts the connections of a pool, in total and by address. */
interface Pool {
  /**
   * Adds a connection.
   *
   * @param network null: the connection is not counted by address
   * @returns false if the pool is full
   */
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

/**
 * Creates a function that classifies requests.
 *
 * @param isVisit whether a request is for a status page
 */
export const createKindOf =
  (isVisit: (request: IncomingMessage) => boolean = () => false) =>
  (request: IncomingMessage): RequestKind => {
    if (isVisit(request)) return 'visit';
    const { url = '' } = request;
    return url === EVENTS_PATH || url.startsWith(`${EVENTS_PATH}?`) ? 'stream' : 'call';
  };

/**
 * The result of assigning a connection to a pool. `accepted`: the pool had room. Otherwise the pool is full: `close`
 * the connection, or `refuse` the request with an error response, because a person is waiting.
 */
export type PoolAssignment = 'accepted' | 'close' | 'refuse';

/**
 * Keeps separate connection pools for visitors of status pages, event streams and ordinary callers, so that no group
 * can exhaust the connections of the others. A connection belongs to the pool of its most recent request, and to a pool
 * for new connections before its first request. One address may use half of the pools for visitors and for streams,
 * because a whole company may share one address. Connections beyond the limits are closed without a response.
 *
 * @returns a function that moves the connection of a request to the pool for this request
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
    // If the address is missing, the client has already disconnected.
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
