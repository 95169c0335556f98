import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../network/clock.ts';

export interface UnreadLimits {
  /**
   * Maximum time from the head of a request to the last byte of its response, in milliseconds. For a streamed response,
   * this is the maximum time in which the client has to read the next {@link STREAMED_BYTES}.
   */
  exchange: number;
  /** maximum time in which a client reads no byte of a pending response, in milliseconds */
  stalled: number;
  /** maximum total number of response bytes that wait for clients to read them */
  unread: number;
}

/**
 * Number of bytes of a streamed response that a client has to read within each period of length `exchange`. Any real
 * connection transfers more in that time. The limit only makes it costly for an attacker to occupy a connection.
 */
export const STREAMED_BYTES = 65_536;

/** A response that its client has not read completely. */
interface PendingResponse {
  response: ServerResponse;
  socket: Socket;
  /** start of the request, or of the period for the current {@link STREAMED_BYTES}; in milliseconds */
  since: number;
  /** number of bytes that the client had read at the time `since` */
  takenBefore: number;
  /** number of bytes that the client has not read yet */
  unread: number;
  /** number of bytes of the current chunk that the system has not accepted yet */
  queued: number;
  /** number of bytes that the client has read */
  taken: number;
  /** when the client last read a byte, or when nothing was left to read; in milliseconds */
  progressAt: number;
}

/** Disconnects clients that do not read their responses. */
export interface UnreadResponses {
  /** Watches the response to a request until it is closed. */
  watch: (response: ServerResponse) => void;
  /** number of bytes that waited for clients when the pending responses were last measured */
  bytes: () => number;
}

/** How many times the pending responses are measured within each time limit. */
const CHECKS = 3;
/**
 * If the total number of unread bytes exceeds the limit, clients are disconnected until the total is below this share
 * of the limit. Without this margin, the next response would exceed the limit again.
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
   * Disconnects clients until the total number of unread bytes is low enough. Begins with the client that has made no
   * progress for the longest time. Never disconnects the only remaining client.
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
      // The response is complete at this event. Usually the system has accepted all of it immediately.
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
 * Returns the number of bytes of the current chunk that the system has not accepted yet. Without this number, only
 * whole chunks would count as progress. Node.js uses the same number to detect whether a client is reading a large
 * chunk (`Socket` of node:net, `_onTimeout`).
 */
const queuedOf = (socket: Socket): number => {
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize?: number } | null };
  return handle?.writeQueueSize ?? 0;
};
