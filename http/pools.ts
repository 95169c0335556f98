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

/** What becomes of a connection with a request: it goes on, or there is no place for it in the pool of the request. */
export type Placed = 'placed' | 'no caller' | 'no visitor';

/**
 * Keeps the connections of visitors of status pages apart from those of callers, so that neither take places from the
 * others. A connection belongs to the pool of its last request; until its first one it belongs to neither. One address
 * may have half of the visitors: a company whose people all look at a page is behind one. Connections beyond the limits
 * are closed without an answer.
 *
 * @returns places the connection of a request
 */
export const poolConnections = (
  server: Server,
  { total, perAddress, visitors, exempt }: PoolLimits,
  isVisit: (request: IncomingMessage) => boolean,
): ((request: IncomingMessage) => Placed) => {
  server.maxConnections = total + visitors;
  const visitorsPerAddress = Math.ceil(visitors / 2);
  const callers = createPool(total, perAddress);
  const guests = createPool(visitors, visitorsPerAddress);
  const arriving = visitors === 0 ? callers : createPool(total + visitors, perAddress + visitorsPerAddress);
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
    if (!place || visitors === 0) return 'placed';
    const wanted = isVisit(request) ? guests : callers;
    if (place.pool === wanted) return 'placed';
    if (!wanted.enter(place.network)) return wanted === guests ? 'no visitor' : 'no caller';
    place.pool.leave(place.network);
    place.pool = wanted;
    return 'placed';
  };
};
