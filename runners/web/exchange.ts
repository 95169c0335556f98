import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { Client, type Dispatcher } from 'undici';
import { Wire } from '../../network/http-wire.ts';
import { OwnTrouble } from '../../network/own-trouble.ts';
import type { ProbeFailure } from '../probe/failure.ts';
import { brokenConnection } from '../probe/broken-connection.ts';
import { wasCutOff } from '../../network/closing.ts';
import type { Stopwatch } from '../probe/stopwatch.ts';
import { createAnswer } from './answer.ts';
import { createBodyReader, type BodyReader } from './body.ts';
import { closedFailure } from './failures.ts';
import type { Head } from './head.ts';
import type { Looks } from './looks.ts';
import type { WebRequest } from './request.ts';

/**
 * What every answer begins with for undici: a body follows, up to the end. undici gets the answer in this plainest
 * form, already parsed (answer.ts), since its parser accepts less than browsers do.
 */
const PLAIN_HEAD = Buffer.from('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n');

/** Closes a client; without it undici would create an error with a stack each time. */
const DONE = new Error('The exchange is over.');

export interface ExchangeOptions {
  socket: Socket | TLSSocket;
  /** `127.0.0.1:443`, for sentences */
  peer: string;
  /** receive the body */
  looks: Looks;
  stopwatch: Stopwatch;
  /** ends the exchange; it rejects with the signal's reason */
  signal: AbortSignal;
  /** The answer's head is there. @returns whether to read its body */
  onHead: (head: Head) => boolean;
  /** bytes of the body so far */
  onProgress: (received: number) => void;
  /** The answer is complete. `size`: bytes of its body, as they were sent */
  onEnd: (size: number) => void;
}

/**
 * Sends one request over a connection that is used for nothing else, and reads the answer. The
 * connection is closed in every case.
 *
 * @returns what is wrong with the body of a complete answer; null if nothing is, or it was not read
 * @throws ProbeFailure there is no complete answer
 */
export const exchange = (request: WebRequest, options: ExchangeOptions): Promise<ProbeFailure | null> =>
  new Promise((resolve, reject) => {
    const { socket, peer, stopwatch, signal } = options;
    let complete = false;
    let size = 0;
    let reader: BodyReader | null = null;
    let settled = false;

    const settle = (tell: () => void): void => {
      if (settled) return;
      settled = true;
      stopwatch.stop();
      signal.removeEventListener('abort', onAbort);
      reader?.destroy();
      client.destroy(DONE, () => undefined);
      wire.destroy();
      socket.destroy();
      tell();
    };
    const end = (failure: ProbeFailure | null): void => {
      settle(() => {
        resolve(failure);
      });
    };
    const fail = (error: Error): void => {
      settle(() => {
        reject(error);
      });
    };
    const onAbort = (): void => {
      fail(signal.reason as Error);
    };
    /** undici itself failed, which says nothing about the target. */
    const onFault = (error: Error): void => {
      fail(new OwnTrouble('The HTTP client failed.', { cause: error }));
    };

    const answer = createAnswer(request.method, peer, {
      head: (head) => {
        stopwatch.enter('transfer');
        if (!options.onHead(head)) {
          end(null);
          return;
        }
        reader = createBodyReader(head.headers, options.looks, {
          drain: () => {
            if (complete) return;
            stopwatch.enter('transfer');
            socket.resume();
          },
          complete: end,
          hopeless: fail,
        });
        wire.push(PLAIN_HEAD);
      },
      data: (chunk) => {
        size += chunk.length;
        wire.push(chunk);
      },
      end: () => {
        complete = true;
        options.onEnd(size);
        // What is left to unpack does not lengthen the transfer.
        stopwatch.stop();
        wire.push(null);
      },
    });
    /** Reads on, and ends the exchange if that throws what is wrong with the answer. */
    const read = (step: () => void): void => {
      if (complete || settled) return;
      try {
        step();
      } catch (error) {
        fail(error as Error);
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
          answer.close(wasCutOff(socket));
        });
      });
      // Without an end and without an error, as when somebody else closes it.
      socket.once('close', () => {
        read(() => {
          throw closedFailure(peer, answer.begun ? 'body' : 'nothing');
        });
      });
    };

    const wire = new Wire(socket, onFault);
    socket.once('error', (error: Error) => {
      // A complete answer stays complete while it is unpacked.
      if (!complete)
        fail(brokenConnection(error, peer, answer.begun ? 'before the response was complete' : 'before it answered'));
    });

    const client = new Client(request.url.origin, {
      connect: handingOver(wire, listen, onFault),
      pipelining: 1,
      // The run's own time limit covers all phases together.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    (client as EventEmitter).on('error', onFault);
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => undefined,
      onResponseStart: () => undefined,
      onResponseData: (_, chunk) => {
        if (settled || !reader) return;
        if (!reader.write(chunk) && !complete) {
          // The server is not slow: its data is being unpacked.
          stopwatch.stop();
          socket.pause();
        }
        options.onProgress(reader.received);
      },
      onResponseEnd: () => {
        if (!settled) reader?.end();
      },
      onResponseError: (_, error) => {
        onFault(error);
      },
    };

    if (signal.aborted) {
      onAbort();
      return;
    }
    signal.addEventListener('abort', onAbort);
    if (socket.destroyed) {
      fail(closedFailure(peer, 'nothing'));
      return;
    }
    stopwatch.enter('first_byte');
    client.dispatch(
      {
        path: `${request.url.pathname}${request.url.search}`,
        method: request.method,
        headers: request.headers,
        body: request.body,
        // "connection: close": nothing else will be asked for.
        reset: true,
      },
      handler,
    );
  });

type Connector = Extract<NonNullable<Client.Options['connect']>, (...input: never[]) => unknown>;

/**
 * Gives undici the only connection; a second one would not have been checked.
 *
 * @param listen called once the request was written, so no answer comes before it
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
