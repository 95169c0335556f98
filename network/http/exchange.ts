import type { Socket } from 'node:net';
import { createResponseParser, type ResponseEvents } from './response-parser.ts';
import { HttpFault } from './fault.ts';
import { writeRequest, type OutgoingRequest } from './write-request.ts';

/** Events of an exchange; none after it is closed. */
export interface ExchangeEvents extends ResponseEvents {
  /** The signal aborted. */
  aborted: (reason: Error) => void;
  /** The response is invalid, incomplete or missing. */
  fault: (fault: HttpFault) => void;
  /** The connection broke. `begun`: whether the head had arrived */
  broken: (error: NodeJS.ErrnoException, begun: boolean) => void;
  /** The request can't be sent, or this program failed; this says nothing about the server. */
  clientFailed: (error: Error) => void;
}

export interface ExchangeOptions {
  /** used for this exchange only */
  socket: Socket;
  /** aborts the exchange, even while the owner of the events processes a complete response */
  signal: AbortSignal;
  /**
   * Whether the TLS connection ended without close_notify, so anyone may have cut it. A body that only the end of the
   * connection delimits is then a fault. Absent: the body's reader checks it.
   */
  wasCutOff?: () => boolean;
}

export interface HttpExchange {
  /** Closes the connection. Later calls have no effect. */
  close: () => void;
}

/**
 * Sends one request over an open connection and reads the response as leniently as browsers do. Not with Node's HTTP
 * client: its parser is stricter, and its agents cost more than the rest of a probe. Calls exactly one of `end`,
 * `aborted`, `fault`, `broken` and `clientFailed`, except that `aborted` may follow `end`. The owner then has to close
 * the exchange.
 */
export const beginExchange = (
  request: OutgoingRequest,
  { socket, signal, wasCutOff = () => false }: ExchangeOptions,
  events: ExchangeEvents,
): HttpExchange => {
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

  const answer = createResponseParser(request.method, {
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
  /** Runs a parsing step and reports its faults. */
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
    // Closed without an end and without an error, for example by another part of the program.
    socket.once('close', onClosed);
  };
  const onClosed = (): void => {
    read(() => {
      throw new HttpFault({ kind: 'closed', within: answer.progress === 'body' ? 'body' : 'nothing' });
    });
  };
  socket.once('error', (error: NodeJS.ErrnoException) => {
    // A complete response stays complete.
    if (!closed && !complete) events.broken(error, answer.progress === 'body');
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
