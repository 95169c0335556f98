import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { getSystemErrorMap } from 'node:util';

/** libuv's error for starting to read a stream that is already being read. */
const ALREADY_READING = [...getSystemErrorMap()].find(([, [name]]) => name === 'EALREADY')?.[0];

interface Handle {
  reading?: boolean;
  readStart?: () => number;
}

const cutOff = new WeakSet<Socket>();

/**
 * Whether a TLS connection ended without the close_notify alert (RFC 8446, 6.1), for example because a device on the
 * path cut it. Known only for connections passed to {@link watchClosing}.
 */
export const wasTruncated = (socket: Socket): boolean => cutOff.has(socket);

/**
 * Records how a TLS connection ends. Node.js reports a close_notify alert and the end of the underlying connection as
 * the same event. At the alert, the underlying handle is still open; at the end of the connection, it is gone. So the
 * handle is checked inside the call that reports the end. If a future Node.js has no such handles, every end counts as
 * announced.
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
