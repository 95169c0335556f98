import type { Socket } from 'node:net';
import type { Clock } from '../../../network/clock.ts';

/** Why a read ended early: the server closed or reset the connection, or sent nothing until the timeout. */
export type ReadEnd = 'closed' | 'reset' | 'silent';

/** A connection for raw reads and writes. Only one read may be pending at a time. */
export interface Wire {
  /** `127.0.0.1:443`, for sentences */
  readonly peer: string;
  /** the local address, for protocols in which a client must identify itself */
  readonly from: string;
  /** Writes bytes. Does nothing if the server has disconnected; the next read reports the disconnection. */
  send: (bytes: Buffer) => void;
  /**
   * Reads exactly `count` bytes. If the read ends early, the received bytes remain for the next read.
   *
   * @param patience timeout, in milliseconds
   * @throws the signal's reason if the signal aborts
   */
  read: (count: number, patience: number) => Promise<Buffer | ReadEnd>;
  /** Reads up to and including `mark`. Returns `too-long` if the mark is not within `most` bytes. */
  readUntil: (mark: string, most: number, patience: number) => Promise<Buffer | ReadEnd | 'too-long'>;
  /** Returns at most `most` bytes that have arrived, without removing them. */
  peek: (most: number) => Buffer;
  /** Closes the connection immediately. Every connection must be ended with this method or `release`. */
  close: () => void;
  /** Returns the connection as a socket, from which unread bytes can be read. */
  release: () => Socket;
}

export interface WireOptions {
  peer: string;
  clock: Pick<Clock, 'after'>;
  signal: AbortSignal;
  /** called one time, when the connection is closed or released */
  onEnd?: () => void;
}

/** Number of unread bytes at which the connection is paused, so that the server must wait. */
const MAX_UNREAD = 128 * 1024;

/** @param socket a connected socket with an `error` listener, as `connectToFirst` returns it */
export const createWire = (socket: Socket, { peer, clock, signal, onEnd }: WireOptions): Wire => {
  // The local address is undefined only if the connection is already closed.
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

  /** Waits until `ready` returns a value, the connection has ended, or the timeout has passed. */
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
