import type { Socket } from 'node:net';
import type { Clock } from '../../../network/clock.ts';

/** Why nothing more came: the server closed or reset the connection, or was silent for the whole wait. */
export type Quiet = 'closed' | 'reset' | 'silent';

/** A connection on which bytes are written and read by hand. One reader at a time. */
export interface Wire {
  /** `127.0.0.1:443`, for sentences */
  readonly peer: string;
  /** the address of this end, for protocols in which a client names itself */
  readonly from: string;
  /** Does nothing if the server is gone; the next read says so. */
  send: (bytes: Buffer) => void;
  /**
   * Exactly this many bytes; if fewer have come, they stay for the next read.
   *
   * @param patience milliseconds
   * @throws the signal's reason, when that ends the run
   */
  read: (count: number, patience: number) => Promise<Buffer | Quiet>;
  /** Bytes up to and including a mark; `too-long` when it is not within `most` bytes. */
  readUntil: (mark: string, most: number, patience: number) => Promise<Buffer | Quiet | 'too-long'>;
  /** Unread bytes that have come, at most `most`; they stay unread. */
  peek: (most: number) => Buffer;
  /** Ends the connection at once. Always call it, or `release`. */
  close: () => void;
  /** Hands over the connection, including unread bytes, for others to read. */
  release: () => Socket;
}

export interface WireOptions {
  peer: string;
  clock: Pick<Clock, 'after'>;
  signal: AbortSignal;
  /** called once, when it is closed or released */
  onEnd?: () => void;
}

/** How much unread data to buffer before the server has to wait, bytes. */
const MAX_UNREAD = 128 * 1024;

/** @param socket connected, with an `error` listener (as connectToFirst returns it) */
export const createWire = (socket: Socket, { peer, clock, signal, onEnd }: WireOptions): Wire => {
  // Unknown only once the connection is closed.
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

  /** Waits until `ready` gives something, nothing more can come, or patience runs out. */
  const waitFor = <T>(ready: () => T | null, patience: number): Promise<T | Quiet> =>
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
