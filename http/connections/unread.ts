import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../network/clock.ts';

export interface UnreadLimits {
  /**
   * How long a request may take from its head to the last byte of its answer, milliseconds. For a streamed answer: how
   * long its client may take to read the next {@link STREAMED_BYTES}.
   */
  exchange: number;
  /** how long a client may take no byte of a response that waits for it, milliseconds */
  stalled: number;
  /** bytes of responses that may wait for their clients, all together */
  unread: number;
}

/** Less than any real line carries in that time, but enough to make holding a connection costly. */
export const STREAMED_BYTES = 65_536;

/** A request under way. */
interface UnderWay {
  response: ServerResponse;
  socket: Socket;
  /** of the request, or of the current {@link STREAMED_BYTES}; milliseconds */
  since: number;
  /** bytes that the client had taken then */
  takenBefore: number;
  /** bytes that wait for the client */
  unread: number;
  /** bytes that the system has yet to take of the current piece */
  queued: number;
  /** bytes that the client has taken */
  taken: number;
  /** when it last took some, or nothing waited for it; milliseconds */
  progressAt: number;
}

/** Cuts off clients that do not read their responses. */
export interface UnreadResponses {
  /** Watches the response to a request until it is closed. */
  watch: (response: ServerResponse) => void;
  /** bytes that wait for clients, as of the last look */
  bytes: () => number;
}

/** How many times within a limit it is checked. */
const LOOKS = 3;
/** To which share of the limit unread responses are cut off, so that the next response does not exceed it again. */
const RELIEF = 0.75;

export const watchUnread = (
  { exchange, stalled, unread: most }: UnreadLimits,
  clock: Pick<Clock, 'monotonic' | 'after'>,
): UnreadResponses => {
  const underWay = new Set<UnderWay>();
  let total = 0;
  let cancel: (() => void) | null = null;

  const forget = (one: UnderWay): void => {
    if (!underWay.delete(one)) return;
    total -= one.unread;
    if (underWay.size > 0) return;
    cancel?.();
    cancel = null;
  };
  const cutOff = (one: UnderWay): void => {
    forget(one);
    one.socket.destroy();
  };
  const measure = (one: UnderWay, now: number): void => {
    const { socket } = one;
    const unread = socket.writableLength;
    const taken = socket.bytesWritten - unread;
    const queued = queuedOf(socket);
    if (unread === 0 || taken !== one.taken || queued !== one.queued) one.progressAt = now;
    total += unread - one.unread;
    Object.assign(one, { unread, taken, queued });
  };
  const isTooSlow = (one: UnderWay, now: number): boolean => {
    if (now - one.progressAt >= stalled) return true;
    if (now - one.since < exchange) return false;
    const { response, unread, taken, takenBefore } = one;
    const isStreamed = response.headersSent && !response.writableEnded;
    Object.assign(one, { since: now, takenBefore: taken });
    return !(isStreamed && (unread === 0 || taken - takenBefore >= STREAMED_BYTES));
  };
  /** Cuts off those first whose clients have taken nothing for longest, never the last one. */
  const relieve = (now: number): void => {
    for (const one of underWay) measure(one, now);
    if (total <= most) return;
    const longest = [...underWay].filter(({ unread }) => unread > 0).sort((a, b) => a.progressAt - b.progressAt);
    for (const one of longest.slice(0, -1)) {
      if (total <= most * RELIEF) return;
      cutOff(one);
    }
  };
  const look = (): void => {
    cancel = null;
    const now = clock.monotonic();
    for (const one of underWay) {
      measure(one, now);
      if (isTooSlow(one, now)) cutOff(one);
    }
    if (total > most) relieve(now);
    if (underWay.size > 0) lookAgain();
  };
  const lookAgain = (): void => {
    cancel ??= clock.after(Math.min(exchange, stalled) / LOOKS, look);
  };

  return {
    watch: (response) => {
      const { socket } = response.req;
      const now = clock.monotonic();
      const one: UnderWay = {
        response,
        socket,
        since: now,
        takenBefore: socket.bytesWritten - socket.writableLength,
        unread: 0,
        queued: 0,
        taken: 0,
        progressAt: now,
      };
      underWay.add(one);
      lookAgain();
      // The whole response is there; most are taken at once.
      response.on('prefinish', () => {
        if (socket.writableLength === 0 || !underWay.has(one)) return;
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
 * Node.js itself sees by this whether a client goes on reading one large piece (`Socket` of node:net, `_onTimeout`).
 * Where there is no such figure, only whole pieces count.
 */
const queuedOf = (socket: Socket): number => {
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize?: number } | null };
  return handle?.writeQueueSize ?? 0;
};
