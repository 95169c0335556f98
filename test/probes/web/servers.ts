import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import type { Certificate } from './certificates.ts';

export interface Opened {
  port: number;
  /** Returns the number of open connections. */
  open: () => number;
  close: () => Promise<void>;
}

const listeningNow = new Set<Opened>();

/**
 * Closes the servers that a failed test left open, which would keep the process alive. Must be called after each test.
 */
export const closeServers = async (): Promise<void> => {
  for (const opened of listeningNow) await opened.close();
};

/** Makes a server listen, and registers it for `closeServers`. */
export const listening = (server: Server, host = '127.0.0.1', port = 0): Promise<Opened> =>
  new Promise((resolve, reject) => {
    const sockets = new Set<Socket>();
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    });
    server.on('error', reject);
    server.listen(port, host, () => {
      const opened: Opened = {
        port: (server.address() as AddressInfo).port,
        open: () => sockets.size,
        close: () =>
          new Promise((closed) => {
            listeningNow.delete(opened);
            for (const socket of sockets) socket.destroy();
            server.close(() => {
              closed();
            });
          }),
      };
      listeningNow.add(opened);
      resolve(opened);
    });
  });

export type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** Starts an HTTP server on a free port. The handler is called when the whole body of a request has arrived. */
export const httpServer = (handle: Handler, host = '127.0.0.1'): Promise<Opened> =>
  listening(
    createHttpServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        handle(request, response, Buffer.concat(chunks).toString());
      });
      request.on('error', () => undefined);
      response.on('error', () => undefined);
    }),
    host,
  );

/** Starts a server that handles each socket with `talk`. @param port by default a free one */
export const rawServer = (talk: (socket: Socket) => void, host = '127.0.0.1', port?: number): Promise<Opened> =>
  listening(createServer({ allowHalfOpen: true }, talk), host, port);

/** Starts a TLS server that handles each socket with `talk`. `wire` is the TCP connection below TLS. */
export const rawTlsServer = (
  certificate: Certificate,
  talk: (socket: TLSSocket, wire: Socket) => void,
): Promise<Opened> => {
  const secureContext = createSecureContext(certificate);
  return rawServer((wire) => {
    const socket = new TLSSocket(wire, { isServer: true, secureContext });
    socket.on('error', () => undefined);
    talk(socket, wire);
  });
};

/** Starts a server that reads a request, sends these bytes, and then calls `then`, if given. */
export const saying = (
  answer: string | Buffer | readonly (string | Buffer)[],
  then: (socket: Socket) => void = () => undefined,
): Promise<Opened> =>
  rawServer((socket) => {
    socket.once('data', () => {
      for (const part of [answer].flat()) socket.write(part);
      then(socket);
    });
  });
