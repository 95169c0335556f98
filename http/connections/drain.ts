import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const POLL_MS = 20;

/**
 * Time after the announced end of an idle connection (`Keep-Alive: timeout=…`) until it can be closed, in milliseconds.
 * A request that a client has sent at the last moment arrives in this time.
 */
const MARGIN_MS = 500;

/**
 * Creates a function that waits until a stopping server can close without losing a request. A client may send a request
 * on an idle connection at the moment at which the server closes it, and could not know whether the request was
 * performed. Therefore, connections that exist when the server stops stay open until they have carried another response
 * (`Connection: close`), or until the time has passed for which the server has promised to keep them open. Meanwhile,
 * the server accepts connections as before.
 *
 * Must be called before the server listens.
 */
export const createDrain = (server: Server): (() => Promise<void>) => {
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return async () => {
    const present = [...open];
    const end = performance.now() + server.keepAliveTimeout + MARGIN_MS;
    while (performance.now() < end && present.some((socket) => open.has(socket))) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  };
};
