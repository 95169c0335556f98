import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { getSystemErrorMap } from 'node:util';

/** libuv's error when it is told to read a stream that it is reading already. */
const ALREADY_READING = [...getSystemErrorMap()].find(([, [name]]) => name === 'EALREADY')?.[0];

interface Handle {
  reading?: boolean;
  readStart?: () => number;
}

const cutOff = new WeakSet<Socket>();

/**
 * Whether a TLS connection ended without the closing notice of RFC 8446, 6.1, as it does when somebody
 * in between cuts it. Known only for connections that {@link watchClosing} watches.
 */
export const wasCutOff = (socket: Socket): boolean => cutOff.has(socket);

/**
 * Watches how a TLS connection ends. Node.js shows a closing notice and the end of the underlying connection
 * as the same thing. But at the notice that connection is still being read, or was told not to be, while at
 * its own end it is gone; so it is checked in the very call that reports the end. If a future
 * Node.js has no such handles, every end counts as announced.
 *
 * @param below the connection that carries it
 */
export const watchClosing = (tls: TLSSocket, below: Socket): void => {
  const push = tls.push.bind(tls);
  tls.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
    if (chunk === null && endedBelow(handleOf(tls), handleOf(below))) cutOff.add(tls);
    return push(chunk, encoding);
  };
};

const handleOf = (socket: Socket): Handle | null | undefined => (socket as { _handle?: Handle | null })._handle;

const endedBelow = (tls: Handle | null | undefined, below: Handle | null | undefined): boolean =>
  tls?.reading === true && below?.readStart !== undefined && below.readStart() !== ALREADY_READING;
