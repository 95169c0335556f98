import type { Socket } from 'node:net';
import { createAnswer, type AnswerEvents } from './answer.ts';
import { HttpFault } from './fault.ts';
import { writeRequest, type Sending } from './request-bytes.ts';

/** What happens in an exchange; nothing more once it was closed. */
export interface ExchangeEvents extends AnswerEvents {
  /** The signal has ended it. */
  aborted: (reason: Error) => void;
  /** What came is not a complete response, or nothing came. */
  fault: (fault: HttpFault) => void;
  /** The connection broke. `begun`: whether the head had come */
  broken: (error: NodeJS.ErrnoException, begun: boolean) => void;
  /** The request can't be sent, or this program failed, which says nothing about the server. */
  clientFailed: (error: Error) => void;
}

export interface ExchangeOptions {
  /** used for nothing else */
  socket: Socket;
  /** ends the exchange, also while the events' owner still works on a complete response */
  signal: AbortSignal;
  /**
   * Whether the end of the connection was not announced, so anybody may have cut it; then a body that only that end
   * completes is a fault. Absent: whoever reads the body finds out.
   */
  wasCutOff?: () => boolean;
}

export interface Exchange {
  /** Closes the connection. Further calls do nothing. */
  close: () => void;
}

/**
 * Sends one request over an open connection and reads the response as browsers do, which accept more than the parsers of
 * HTTP clients; and a client that keeps connections costs more than all else that a probe does. Exactly one of `end`,
 * `aborted`, `fault`, `broken` and `clientFailed` is called, unless `end` is followed by `aborted`; the owner then has to
 * close it.
 */
export const beginExchange = (
  request: Sending,
  { socket, signal, wasCutOff = () => false }: ExchangeOptions,
  events: ExchangeEvents,
): Exchange => {
  let complete = false;
  let closed = false;

  const close = (): void => {
    if (closed) return;
    closed = true;
    signal.removeEventListener('abort', onAbort);
    socket.destroy();
  };
  const onAbort = (): void => {
    if (!closed) events.aborted(signal.reason as Error);
  };

  const answer = createAnswer(request.method, {
    head: events.head,
    data: (chunk) => {
      if (!closed) events.data(chunk);
    },
    end: () => {
      complete = true;
      if (!closed) events.end();
    },
  });
  const isOpen = (): boolean => !closed;
  /** Reads on, and tells what is wrong with the response. */
  const read = (step: () => void): void => {
    if (complete || !isOpen()) return;
    try {
      step();
    } catch (error) {
      if (!(error instanceof HttpFault)) events.clientFailed(error as Error);
      else if (isOpen()) events.fault(error);
    }
  };
  const listen = (): void => {
    socket.on('data', (piece: Buffer) => {
      read(() => {
        answer.write(piece);
      });
    });
    socket.once('end', () => {
      read(() => {
        answer.close(wasCutOff());
      });
    });
    // Without an end and without an error, as when somebody else closes it.
    socket.once('close', onClosed);
  };
  const onClosed = (): void => {
    read(() => {
      throw new HttpFault({ kind: 'closed', within: answer.within === 'body' ? 'body' : 'nothing' });
    });
  };
  socket.once('error', (error: NodeJS.ErrnoException) => {
    // A complete response stays complete.
    if (!closed && !complete) events.broken(error, answer.within === 'body');
  });

  if (signal.aborted) {
    queueMicrotask(onAbort);
    return { close };
  }
  signal.addEventListener('abort', onAbort);
  if (socket.destroyed) {
    queueMicrotask(onClosed);
    return { close };
  }
  try {
    writeRequest(socket, request);
    listen();
  } catch (error) {
    queueMicrotask(() => {
      if (!closed) events.clientFailed(error as Error);
    });
  }
  return { close };
};
