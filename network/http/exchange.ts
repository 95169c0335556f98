import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { Client, type Dispatcher } from 'undici';
import { Wire } from '../http-wire.ts';
import { createAnswer, type AnswerEvents } from './answer.ts';
import { HttpFault } from './fault.ts';

/** Closes a client; without it undici would create an error with a stack each time. */
const DONE = new Error('The exchange is over.');

/** One request as it is sent. */
export interface Sending {
  url: URL;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string | Buffer | null;
}

/** What happens in an exchange; nothing more once it was closed. */
export interface ExchangeEvents extends AnswerEvents {
  /** The signal has ended it. */
  aborted: (reason: Error) => void;
  /** What came is not a complete response, or nothing came. */
  fault: (fault: HttpFault) => void;
  /** The connection broke. `begun`: whether the head had come */
  broken: (error: NodeJS.ErrnoException, begun: boolean) => void;
  /** undici or this program failed, which says nothing about the server. */
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
 * Sends one request over an open connection and reads the response as browsers do, which accept more than undici's
 * parser does; so undici writes the request, and is given no response. Exactly one of `end`, `aborted`, `fault`,
 * `broken` and `clientFailed` is called, unless `end` is followed by `aborted`; the owner then has to close it.
 */
export const beginExchange = (
  { url, method, headers, body }: Sending,
  { socket, signal, wasCutOff = () => false }: ExchangeOptions,
  events: ExchangeEvents,
): Exchange => {
  let complete = false;
  let closed = false;

  const close = (): void => {
    if (closed) return;
    closed = true;
    signal.removeEventListener('abort', onAbort);
    client.destroy(DONE, () => undefined);
    wire.destroy();
    socket.destroy();
  };
  const onAbort = (): void => {
    if (!closed) events.aborted(signal.reason as Error);
  };
  const onFault = (error: Error): void => {
    if (!closed && !complete) events.clientFailed(error);
  };

  const answer = createAnswer(method, {
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

  const wire = new Wire(socket, onFault);
  const client = new Client(url.origin, {
    connect: handingOver(wire, listen, onFault),
    pipelining: 1,
    // The caller's own time limit covers all of it.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  (client as EventEmitter).on('error', onFault);

  if (signal.aborted) {
    queueMicrotask(onAbort);
    return { close };
  }
  signal.addEventListener('abort', onAbort);
  if (socket.destroyed) {
    queueMicrotask(onClosed);
    return { close };
  }
  client.dispatch(
    {
      path: `${url.pathname}${url.search}`,
      method,
      headers,
      body,
      // "connection: close": nothing else will be asked for.
      reset: true,
    },
    handlerOf(onFault),
  );
  return { close };
};

/** undici gets no response, so all that it can report is that it failed. */
const handlerOf = (onFault: (error: Error) => void): Dispatcher.DispatchHandler => ({
  onRequestStart: () => undefined,
  onResponseStart: () => undefined,
  onResponseData: () => undefined,
  onResponseEnd: () => undefined,
  onResponseError: (_, error) => {
    onFault(error);
  },
});

type Connector = Extract<NonNullable<Client.Options['connect']>, (...input: never[]) => unknown>;

/**
 * Gives undici the only connection; a second one would not have been checked.
 *
 * @param listen called once the request was written, so no response comes before it
 */
const handingOver = (wire: Wire, listen: () => void, onFault: (error: Error) => void): Connector => {
  let given = false;
  return (_, callback) => {
    if (given) {
      callback(new Error('The connection was closed.'), null);
      return;
    }
    given = true;
    // undici does not send a request within the call that submits it.
    queueMicrotask(() => {
      try {
        callback(null, wire as unknown as Socket);
        listen();
      } catch (error) {
        onFault(error as Error);
      }
    });
  };
};
