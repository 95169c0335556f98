import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from './client-address.ts';

export interface ConnectionLimits {
  /** connections at once */
  total: number;
  /** connections at once from one address, or from one network of IPv6 (64 bits) */
  perAddress: number;
  /** whose connections are not counted by address: a proxy has those of everybody */
  exempt: (address: string) => boolean;
  /** requests of one connection under way at once; a client that sends more without reading is cut off */
  pipelined: number;
  /**
   * How long a request may take from its head to the last byte of its answer, milliseconds. For a streamed answer: how
   * long its client may take to read the next {@link STREAMED_BYTES}.
   */
  exchange: number;
}

/** Less than any real line carries in that time, but enough to make holding a connection costly. */
export const STREAMED_BYTES = 65_536;

export const CONNECTION_LIMITS: ConnectionLimits = {
  total: 5_000,
  perAddress: 500,
  exempt: () => false,
  pipelined: 64,
  exchange: 120_000,
};

/**
 * Keeps clients from blocking others: connections beyond the limits are closed without an answer, and so is a
 * connection whose answer is not read in time.
 *
 * @returns the application, called only within the limits
 */
export const limitConnections = (server: Server, limits: ConnectionLimits, app: RequestListener): RequestListener => {
  server.maxConnections = limits.total;
  limitByAddress(server, limits);
  const { pipelined, exchange } = limits;
  /** Time limits of the requests under way, by their connection. */
  const underWay = new WeakMap<Socket, Set<NodeJS.Timeout>>();
  const limitsOf = (socket: Socket): Set<NodeJS.Timeout> => {
    const known = underWay.get(socket);
    if (known) return known;
    const running = new Set<NodeJS.Timeout>();
    underWay.set(socket, running);
    // The answer to a pipelined request that had not come to its turn emits no `close` of its own.
    socket.once('close', () => {
      for (const late of running) clearTimeout(late);
    });
    return running;
  };
  return (request, response) => {
    const { socket } = request;
    const running = limitsOf(socket);
    if (running.size >= pipelined) {
      socket.destroy();
      return;
    }
    let taken = 0;
    const late = setTimeout(() => {
      const before = taken;
      taken = socket.bytesWritten - socket.writableLength;
      const isStreamed = response.headersSent && !response.writableEnded;
      if (isStreamed && (socket.writableLength === 0 || taken - before >= STREAMED_BYTES)) late.refresh();
      else socket.destroy();
    }, exchange);
    running.add(late);
    response.once('close', () => {
      clearTimeout(late);
      running.delete(late);
    });
    app(request, response);
  };
};

const limitByAddress = (server: Server, { perAddress, exempt }: ConnectionLimits): void => {
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress;
    // Without an address the client has left already.
    if (address === undefined || exempt(address)) return;
    const network = networkOf(address);
    const count = (open.get(network) ?? 0) + 1;
    if (count > perAddress) {
      socket.destroy();
      return;
    }
    open.set(network, count);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
  });
};
