import type { Socket } from 'node:net';

/** When an answer on a stream is complete. */
interface Listening {
  /** where its end is, in bytes from its start; null while what was received does not say it */
  endOf: (received: readonly Buffer[], bytes: number) => number | null;
  /** what it is when the peer closed the connection before that; an error where it is no answer */
  closed: (received: Buffer) => Buffer | Error;
  /** what an error of the connection says */
  broken: (error: NodeJS.ErrnoException) => Error;
}

/**
 * Sends a question on a connected stream and reads its answer. The connection is closed in every case.
 *
 * @throws what `closed` and `broken` make of its end
 */
export const converse = (
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
