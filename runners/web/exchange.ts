import type { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { RunnerTrouble } from '../check-type.ts';
import { Client, type Dispatcher } from 'undici';
import { createBodyReader, type BodyReader } from './body.ts';
import { closedFinding, protocolFinding } from './failures.ts';
import type { Finding } from '../finding.ts';
import type { WebRequest } from './request.ts';
import type { Stopwatch } from '../stopwatch.ts';
import { Wire } from './wire.ts';

/** Larger heads of an answer are no answer. */
export const MAX_HEADER_BYTES = 65_536;

/** Closes a client; undici would otherwise make an error with its stack each time. */
const DONE = new Error('The exchange is over.');

export interface Head {
  status: number;
  headers: IncomingHttpHeaders;
}

export interface ExchangeOptions {
  socket: Socket | TLSSocket;
  /** `127.0.0.1:443`, for sentences */
  peer: string;
  /** must stand in the body; nothing when empty */
  searchText: string;
  stopwatch: Stopwatch;
  /** ends the exchange; it rejects with the signal's reason */
  signal: AbortSignal;
  /** The answer's head is there. @returns whether its body is to be read */
  onHead: (head: Head) => boolean;
  /** bytes of the body so far */
  onProgress: (received: number) => void;
}

/**
 * Sends one request over a connection that is used for nothing else, and reads the answer. The
 * connection is closed in every case.
 *
 * @returns what is wrong with the body of a complete answer; null when nothing is, or it was not read
 * @throws Finding there is no complete answer
 */
export const exchange = (request: WebRequest, options: ExchangeOptions): Promise<Finding | null> =>
  new Promise((resolve, reject) => {
    const { socket, peer, stopwatch, signal } = options;
    let begun = false;
    let complete = false;
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
    const fail = (error: Error): void => {
      settle(() => {
        reject(error);
      });
    };
    const onAbort = (): void => {
      fail(signal.reason as Error);
    };
    /** undici itself went wrong, which says nothing of the target. */
    const onFault = (error: Error): void => {
      fail(new RunnerTrouble('The HTTP client failed.', { cause: error }));
    };

    const wire = new Wire(socket, onFault);
    socket.on('data', (chunk: Buffer) => {
      wire.push(chunk);
    });
    socket.once('end', () => {
      wire.push(null);
    });
    socket.once('error', (error: Error) => {
      // A complete answer stays one while it is unpacked.
      if (!complete) fail(protocolFinding(error, peer, begun));
    });

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => undefined,
      onResponseStart: (_, status, headers) => {
        if (settled || status < 200) return;
        begun = true;
        stopwatch.enter('transfer');
        if (!options.onHead({ status, headers })) {
          settle(() => {
            resolve(null);
          });
          return;
        }
        reader = createBodyReader(headers, options.searchText, {
          drain: () => {
            socket.resume();
          },
          complete: (finding) => {
            settle(() => {
              resolve(finding);
            });
          },
          hopeless: fail,
        });
      },
      onResponseData: (_, chunk) => {
        if (settled || !reader) return;
        if (!reader.write(chunk)) socket.pause();
        options.onProgress(reader.received);
      },
      onResponseEnd: () => {
        if (settled) return;
        complete = true;
        // What is left to unpack does not lengthen the transfer.
        stopwatch.stop();
        reader?.end();
      },
      onResponseError: (_, error) => {
        fail(protocolFinding(error, peer, begun));
      },
    };

    const client = new Client(request.url.origin, {
      connect: handingOver(wire, onFault),
      pipelining: 1,
      maxHeaderSize: MAX_HEADER_BYTES,
      // The run's own time limit holds for all phases together.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    (client as EventEmitter).on('error', onFault);

    if (signal.aborted) {
      onAbort();
      return;
    }
    signal.addEventListener('abort', onAbort);
    if (socket.destroyed) {
      fail(closedFinding(peer, begun));
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

/** Gives undici the one connection there is; a second one would not have been judged. */
const handingOver = (wire: Wire, onFault: (error: Error) => void): Connector => {
  let given = false;
  return (_, callback) => {
    if (given) {
      callback(new Error('The connection was closed.'), null);
      return;
    }
    given = true;
    // undici does not send what it is given within the call that asks for it.
    queueMicrotask(() => {
      try {
        callback(null, wire as unknown as Socket);
      } catch (error) {
        onFault(error as Error);
      }
    });
  };
};
