import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import type { Certificate } from '../../web/certificates.ts';
import { rawServer, type Opened } from '../../web/servers.ts';
import { clientHelloIn, HANDSHAKE, recordOf, serverHelloOf, type ClientHello } from './messages.ts';

const SESSION_TICKET = 35;

/**
 * Starts a TLS 1.2 server of Node.js. If a client sends a ticket together with a short session id, the server responds
 * with the session id that `sessionIdFor` returns.
 */
export const ticketServer = (
  certificate: Certificate,
  sessionIdFor: (requested: Buffer) => Buffer,
): Promise<Opened> => {
  const secureContext = createSecureContext({ ...certificate, maxVersion: 'TLSv1.2' });
  return rawServer((socket) => {
    socket.once('data', (first: Buffer) => {
      const hello = clientHelloIn(first.subarray(5));
      if ((hello.extensions.get(SESSION_TICKET)?.length ?? 0) > 0 && hello.sessionId.length < 32) {
        resumed(socket, hello, sessionIdFor(hello.sessionId));
        return;
      }
      socket.pause();
      socket.unshift(first);
      new TLSSocket(socket, { isServer: true, secureContext }).on('error', () => undefined).resume();
    });
  });
};

const resumed = (socket: Socket, hello: ClientHello, sessionId: Buffer): void => {
  const answer = serverHelloOf({
    version: 0x0303,
    random: randomBytes(32),
    sessionId,
    suite: hello.suites[0] ?? 0,
    compression: 0,
    extensions: [],
  });
  socket.write(recordOf(HANDSHAKE, 0x0303, answer));
  socket.write(recordOf(HANDSHAKE, 0x0303, Buffer.from([14, 0, 0, 0])));
};
