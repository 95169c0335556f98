import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { getSystemErrorMap } from 'node:util';

/** The error code that libuv returns when reading starts on a stream that is already being read. */
const ALREADY_READING = [...getSystemErrorMap()].find(([, [name]]) => name === 'EALREADY')?.[0];

interface Handle {
  reading?: boolean;
  readStart?: () => number;
}

const cutOff = new WeakSet<Socket>();

/**
 * Returns whether a TLS connection ended without the close_notify alert (RFC 8446, 6.1), for example because a device
 * on the network path cut it. This is only known for connections that were passed to {@link watchClosing}.
 */
export const wasTruncated = (socket: Socket): boolean => cutOff.has(socket);

/**
 * Records whether a TLS connection ends with a close_notify alert. Node.js emits the same event for such an alert and
 * for the end of the underlying connection. The two cases differ in the state of the handle of the underlying
 * connection: when an alert arrives, the handle is still reading; when the underlying connection has ended, the handle
 * is no longer reading. This state is only reliable during the call that reports the end, so this function wraps
 * `push`. If a future Node.js has no such handles, every end counts as announced by an alert.
 *
 * @param below the underlying connection
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
