import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../network/clock.ts';

export interface UnreadLimits {
  /**
   * How long a request may take from its head to the last byte of its response, milliseconds. For a streamed response:
   * how long its client may take to read the next {@link STREAMED_BYTES}.
   */
  exchange: number;
  /** how long a client may read no byte of a pending response, milliseconds */
  stalled: number;
  /** maximum total of response bytes that wait for their clients */
  unread: number;
}

/** Less than any real connection transfers in that time, but enough to make occupying a connection costly. */
export const STREAMED_BYTES = 65_536;

/** A response in progress. */
interface PendingResponse {
  response: ServerResponse;
  socket: Socket;
  /** start of the request, or of the current {@link STREAMED_BYTES}; milliseconds */
  since: number;
  /** bytes that the client had read at that time */
  takenBefore: number;
  /** bytes that wait for the client */
  unread: number;
  /** bytes of the current chunk that are not handed to the system yet */
  queued: number;
  /** bytes that the client has read */
  taken: number;
  /** when the client last read some bytes, or nothing was pending; milliseconds */
  progressAt: number;
}

/** Disconnects clients that do not read their responses. */
export interface UnreadResponses {
  /** Watches the response to a request until it is closed. */
  watch: (response: ServerResponse) => void;
  /** bytes that wait for clients, as of the last check */
  bytes: () => number;
}

/** Checks per time limit. */
const CHECKS = 3;
/**
 * Above the limit, clients are disconnected down to this share of it, so that the next response does not exceed it
 * again.
 */
const RELIEF = 0.75;

export const watchUnread = (
  { exchange, stalled, unread: most }: UnreadLimits,
  clock: Pick<Clock, 'monotonic' | 'after'>,
): UnreadResponses => {
  const pending = new Set<PendingResponse>();
  let total = 0;
  let cancel: (() => void) | null = null;

  const forget = (one: PendingResponse): void => {
    if (!pending.delete(one)) return;
    total -= one.unread;
    if (pending.size > 0) return;
    cancel?.();
    cancel = null;
  };
  const disconnect = (one: PendingResponse): void => {
    forget(one);
    one.socket.destroy();
  };
  const measure = (one: PendingResponse, now: number): void => {
    const { socket } = one;
    const unread = socket.writableLength;
    const taken = socket.bytesWritten - unread;
    const queued = queuedOf(socket);
    if (unread === 0 || taken !== one.taken || queued !== one.queued) one.progressAt = now;
    total += unread - one.unread;
    Object.assign(one, { unread, taken, queued });
  };
  const isTooSlow = (one: PendingResponse, now: number): boolean => {
    if (now - one.progressAt >= stalled) return true;
    if (now - one.since < exchange) return false;
    const { response, unread, taken, takenBefore } = one;
    const isStreamed = response.headersSent && !response.writableEnded;
    Object.assign(one, { since: now, takenBefore: taken });
    return !(isStreamed && (unread === 0 || taken - takenBefore >= STREAMED_BYTES));
  };
  /**
   * Disconnects clients until the total is low enough, those without progress for longest first; never the last one.
   */
  const relieve = (now: number): void => {
    for (const one of pending) measure(one, now);
    if (total <= most) return;
    const longest = [...pending].filter(({ unread }) => unread > 0).sort((a, b) => a.progressAt - b.progressAt);
    for (const one of longest.slice(0, -1)) {
      if (total <= most * RELIEF) return;
      disconnect(one);
    }
  };
  const check = (): void => {
    cancel = null;
    const now = clock.monotonic();
    for (const one of pending) {
      measure(one, now);
      if (isTooSlow(one, now)) disconnect(one);
    }
    if (total > most) relieve(now);
    if (pending.size > 0) scheduleCheck();
  };
  const scheduleCheck = (): void => {
    cancel ??= clock.after(Math.min(exchange, stalled) / CHECKS, check);
  };

  return {
    watch: (response) => {
      const { socket } = response.req;
      const now = clock.monotonic();
      const one: PendingResponse = {
        response,
        socket,
        since: now,
        takenBefore: socket.bytesWritten - socket.writableLength,
        unread: 0,
        queued: 0,
        taken: 0,
        progressAt: now,
      };
      pending.add(one);
      scheduleCheck();
      // The response is complete; usually the system has accepted all of it immediately.
      response.on('prefinish', () => {
        if (socket.writableLength === 0 || !pending.has(one)) return;
        const at = clock.monotonic();
        measure(one, at);
        one.progressAt = at;
        if (total > most) relieve(at);
      });
      response.on('close', () => {
        forget(one);
      });
    },
    bytes: () => total,
  };
};

/**
 * The number of bytes of the current chunk that are still queued. Node.js uses the same figure to see whether a client
 * is reading one large chunk (`Socket` of node:net, `_onTimeout`). Without it, only whole chunks count as progress.
 */
const queuedOf = (socket: Socket): number => {
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize?: number } | null };
  return handle?.writeQueueSize ?? 0;
};
