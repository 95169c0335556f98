import { createServer, type TlsOptions } from 'node:tls';
import type { AddressInfo } from 'node:net';

export interface TlsServer {
  port: number;
  /** Returns the number of connections up to now. */
  connections: () => number;
  close: () => Promise<void>;
}

/** Starts a TLS server of Node.js that sends nothing after the handshake. */
export const tlsServer = async (options: TlsOptions): Promise<TlsServer> => {
  const server = createServer(options, (socket) => socket.on('error', () => undefined));
  let connections = 0;
  server.on('connection', () => connections++);
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    close: () =>
      new Promise((closed) => {
        server.close(() => {
          closed();
        });
      }),
  };
};
