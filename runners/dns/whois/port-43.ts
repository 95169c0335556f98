import type { Socket } from 'node:net';
import type { NetworkContext } from '../../../network/context.ts';
import { peerOf } from '../../../network/failures.ts';
import { openConnection } from '../../../network/open.ts';
import { brokenConnection } from '../../probe/broken-connection.ts';

/** Bytes of an answer; what is more is not read. */
const MOST = 64 * 1_024;

/**
 * Asks a WHOIS server (RFC 3912): one line there, and all that comes back until it closes the connection.
 *
 * When the context's signal ends it, it rejects with the signal's reason.
 *
 * @throws ProbeFailure, LookupFailed, TargetRefused, ConnectFailed, OwnTrouble
 */
export const askPort43 = async (
  host: string,
  port: number,
  question: string,
  context: NetworkContext,
): Promise<string> => {
  const quiet = { enter: () => undefined, connected: () => undefined };
  const { socket, address } = await openConnection({ host, port }, context, quiet);
  return textOf(await converse(socket, `${question}\r\n`, peerOf(address.address, port), context.signal));
};

/** The connection is closed in every case. */
const converse = (socket: Socket, line: string, peer: string, signal: AbortSignal): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let received = 0;
    let settled = false;
    const settle = (): boolean => {
      if (settled) return false;
      settled = true;
      signal.removeEventListener('abort', onAbort);
      socket.destroy();
      return true;
    };
    const onAbort = (): void => {
      if (settle()) reject(signal.reason as Error);
    };
    const onEnd = (): void => {
      if (settle()) resolve(Buffer.concat(pieces).subarray(0, MOST));
    };
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (settle()) reject(brokenConnection(error, peer, 'before its answer was complete'));
    });
    socket.once('close', onEnd);
    socket.once('end', onEnd);
    socket.on('data', (piece: Buffer) => {
      pieces.push(piece);
      received += piece.length;
      if (received >= MOST) onEnd();
    });
    if (signal.aborted) {
      onAbort();
      return;
    }
    signal.addEventListener('abort', onAbort);
    socket.write(line);
  });

/** WHOIS says nothing about encodings: UTF-8 where it is that, else ISO 8859-1. */
const textOf = (bytes: Buffer): string => {
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? bytes.toString('latin1') : text;
};
