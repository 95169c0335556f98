import type { Socket } from 'node:net';
import { createResponseParser, type ResponseEvents } from './response-parser.ts';
import { HttpFault } from './fault.ts';
import { writeRequest, type OutgoingRequest } from './write-request.ts';

/** Callbacks of an exchange. None is called after the exchange is closed. */
export interface ExchangeEvents extends ResponseEvents {
  /** Called when the signal aborts. */
  aborted: (reason: Error) => void;
  /** Called when the response is invalid, incomplete or missing. */
  fault: (fault: HttpFault) => void;
  /** Called when the connection breaks. `begun` is true if the head has arrived. */
  broken: (error: NodeJS.ErrnoException, begun: boolean) => void;
  /** Called when the request can't be sent or this program fails. Such an error says nothing about the server. */
  clientFailed: (error: Error) => void;
}

export interface ExchangeOptions {
  /** socket that is used for this exchange only */
  socket: Socket;
  /** aborts the exchange, even while the caller processes a complete response */
  signal: AbortSignal;
  /**
   * Returns whether the TLS connection ended without close_notify. Anyone on the network path may have cut such a
   * connection. So a missing close_notify is a fault if neither a length nor chunks show where the body ends. If this
   * function is absent, the caller of the exchange has to detect such a connection itself.
   */
  wasCutOff?: () => boolean;
}

export interface HttpExchange {
  /** Closes the connection. Later calls have no effect. */
  close: () => void;
}

/**
 * Sends one request over an open connection and reads the response as leniently as browsers do. Node's HTTP client is
 * not used, because its parser is stricter and its agents cost more CPU time than the rest of a probe.
 *
 * Calls exactly one of `end`, `aborted`, `fault`, `broken` and `clientFailed`. Exception: if the signal aborts after
 * `end`, `aborted` is called too. After any of these callbacks, the caller has to close the exchange.
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
  /** Runs a step of the parser and reports the error that it throws. */
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
    // The socket may close without an end and without an error, for example if another part of the program destroys it.
    socket.once('close', onClosed);
  };
  const onClosed = (): void => {
    read(() => {
      throw new HttpFault({ kind: 'closed', within: answer.progress === 'body' ? 'body' : 'nothing' });
    });
  };
  socket.once('error', (error: NodeJS.ErrnoException) => {
    // An error after a complete response does not matter.
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
