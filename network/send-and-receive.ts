import type { Socket } from 'node:net';

/** Callbacks that evaluate the bytes received on a stream. */
interface Listening {
  /** Returns the length of the response in bytes; null if more bytes are needed to determine the length. */
  endOf: (received: readonly Buffer[], bytes: number) => number | null;
  /**
   * Called if the peer closes the connection before all bytes of the response (see `endOf`) have arrived. Returns the
   * response, or an error if the response is incomplete.
   */
  closed: (received: Buffer) => Buffer | Error;
  /** Converts an error of the connection into the error to throw. */
  broken: (error: NodeJS.ErrnoException) => Error;
}

/**
 * Sends a request on a connected stream and reads the response. Always closes the connection.
 *
 * @throws the errors that `closed` and `broken` return
 */
export const sendAndReceive = (
  socket: Socket,
  question: Buffer | string,
  signal: AbortSignal,
  { endOf, closed, broken }: Listening,
): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    let bytes = 0;
    let settled = false;
    const settle = (answer: () => Buffer | Error): void => {
      if (settled) return;
      settled = true;
      signal.removeEventListener('abort', onAbort);
      socket.destroy();
      const outcome = answer();
      if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
    };
    const onAbort = (): void => {
      settle(() => signal.reason as Error);
    };
    const onEnd = (): void => {
      settle(() => closed(Buffer.concat(received)));
    };
    socket.on('error', (error: NodeJS.ErrnoException) => {
      settle(() => broken(error));
    });
    socket.once('end', onEnd);
    socket.once('close', onEnd);
    socket.on('data', (piece: Buffer) => {
      received.push(piece);
      bytes += piece.length;
      const end = endOf(received, bytes);
      if (end !== null && bytes >= end) settle(() => Buffer.concat(received).subarray(0, end));
    });
    if (signal.aborted) onAbort();
    else if (socket.destroyed) onEnd();
    else {
      signal.addEventListener('abort', onAbort);
      socket.write(question);
    }
  });
