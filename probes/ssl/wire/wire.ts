import type { Socket } from 'node:net';
import type { Clock } from '../../../network/clock.ts';

/** Why no more bytes arrived: the server closed or reset the connection, or sent nothing until the timeout. */
export type ReadEnd = 'closed' | 'reset' | 'silent';

/** A connection for raw reads and writes. One reader at a time. */
export interface Wire {
  /** `127.0.0.1:443`, for sentences */
  readonly peer: string;
  /** the local address, for protocols in which a client names itself */
  readonly from: string;
  /** Writes bytes. No effect after the server has disconnected; the next read reports that. */
  send: (bytes: Buffer) => void;
  /**
   * Reads exactly this many bytes; if fewer have arrived, they remain for the next read.
   *
   * @param patience timeout, milliseconds
   * @throws the signal's reason, when that aborts the run
   */
  read: (count: number, patience: number) => Promise<Buffer | ReadEnd>;
  /** Reads up to and including a mark; `too-long` if it is not within `most` bytes. */
  readUntil: (mark: string, most: number, patience: number) => Promise<Buffer | ReadEnd | 'too-long'>;
  /** At most `most` bytes that have arrived, without reading them. */
  peek: (most: number) => Buffer;
  /** Closes the connection immediately. Always call it, or `release`. */
  close: () => void;
  /** Hands the connection over, including unread bytes. */
  release: () => Socket;
}

export interface WireOptions {
  peer: string;
  clock: Pick<Clock, 'after'>;
  signal: AbortSignal;
  /** called once, when it is closed or released */
  onEnd?: () => void;
}

/** Maximum bytes of unread data, after which the server has to wait. */
const MAX_UNREAD = 128 * 1024;

/** @param socket connected, with an `error` listener (as connectToFirst returns it) */
export const createWire = (socket: Socket, { peer, clock, signal, onEnd }: WireOptions): Wire => {
  // Undefined only after the connection is closed.
  const from = socket.localAddress ?? '127.0.0.1';
  let unread: Buffer[] = [];
  let size = 0;
  let quiet: 'closed' | 'reset' | null = null;
  let wake: (() => void) | null = null;
  let over = false;

  const onData = (chunk: Buffer): void => {
    unread.push(chunk);
    size += chunk.length;
    if (size >= MAX_UNREAD) socket.pause();
    wake?.();
  };
  const ended = (how: 'closed' | 'reset') => (): void => {
    quiet ??= how;
    wake?.();
  };
  const onFinish = ended('closed');
  const onError = ended('reset');
  socket.on('data', onData).on('end', onFinish).on('close', onFinish).on('error', onError);
  if (socket.destroyed) quiet = 'closed';

  const all = (): Buffer => {
    const joined = unread.length === 1 && unread[0] ? unread[0] : Buffer.concat(unread);
    unread = [joined];
    return joined;
  };
  const taken = (count: number): Buffer => {
    const joined = all();
    unread = count < joined.length ? [joined.subarray(count)] : [];
    size -= count;
    if (size < MAX_UNREAD) socket.resume();
    return joined.subarray(0, count);
  };

  /** Waits until `ready` returns a value, nothing more can arrive, or the timeout. */
  const waitFor = <T>(ready: () => T | null, patience: number): Promise<T | ReadEnd> =>
    new Promise((resolve, reject) => {
      const settle = (): void => {
        wake = null;
        cancelTimer();
        signal.removeEventListener('abort', onAbort);
      };
      const onAbort = (): void => {
        settle();
        socket.destroy();
        reject(signal.reason as Error);
      };
      const look = (): void => {
        const result = ready() ?? quiet;
        if (result === null) return;
        settle();
        resolve(result);
      };
      const cancelTimer = clock.after(patience, () => {
        settle();
        resolve('silent');
      });
      if (signal.aborted) {
        onAbort();
        return;
      }
      signal.addEventListener('abort', onAbort);
      wake = look;
      look();
    });

  const end = (): void => {
    if (over) return;
    over = true;
    onEnd?.();
  };

  return {
    peer,
    from,
    send: (bytes) => {
      if (!socket.destroyed && socket.writable) socket.write(bytes);
    },
    read: (count, patience) => waitFor(() => (size >= count ? taken(count) : null), patience),
    readUntil: (mark, most, patience) =>
      waitFor<Buffer | 'too-long'>(() => {
        const at = all().indexOf(mark);
        if (at >= 0 && at + mark.length <= most) return taken(at + mark.length);
        return at >= 0 || size >= most ? 'too-long' : null;
      }, patience),
    peek: (most) => all().subarray(0, most),
    close: () => {
      quiet ??= 'closed';
      socket.destroy();
      unread = [];
      size = 0;
      end();
    },
    release: () => {
      socket.off('data', onData).off('end', onFinish).off('close', onFinish).off('error', onError);
      socket.pause();
      if (size > 0) socket.unshift(all());
      end();
      return socket;
    },
  };
};
