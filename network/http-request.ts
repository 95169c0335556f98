import type { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { Client, type Dispatcher } from 'undici';
import type { NetworkContext } from './context.ts';
import { isOwnTrouble, peerOf } from './failures.ts';
import { httpTarget } from './http-target.ts';
import { Wire } from './http-wire.ts';
import { openConnection } from './open.ts';
import { OwnTrouble } from './own-trouble.ts';

export interface HttpRequest {
  /** http or https; a user name and a password in it are not sent */
  url: URL;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
}

/** The head of an answer; the body is discarded. */
export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
}

/** There was a connection, but no HTTP answer; the message is a sentence. */
export class NoHttpAnswer extends Error {
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'NoHttpAnswer';
  }
}

/** The current phase: `answer` is waiting for one. */
export type HttpPhase = 'lookup' | 'connect' | 'tls' | 'answer';

/** How much of a body is read, so its sender can finish; none of it is kept. */
const BODY_BYTES = 64 * 1024;
const HEAD_BYTES = 16 * 1024;

/**
 * Sends one request over a fresh connection to an address that the policy allows, and reads the answer's head. A
 * redirect is an answer like any other. Once there is a head, the body no longer matters.
 *
 * When the context's signal ends it before there is a head, it rejects with the signal's reason.
 *
 * @param enter a phase begins; `peer` is what it is about: a host name, then `127.0.0.1:443`
 * @throws LookupFailed, TargetRefused, ConnectFailed, TlsFailed, NoHttpAnswer, OwnTrouble
 */
export const httpRequest = async (
  request: HttpRequest,
  context: NetworkContext,
  enter: (phase: HttpPhase, peer: string) => void,
): Promise<HttpAnswer> => {
  const target = httpTarget(request.url);
  const { socket, address } = await openConnection(target, context, { enter, connected: () => undefined });
  const peer = peerOf(address.address, target.port);
  enter('answer', peer);
  return exchange(request, socket, peer, context.signal);
};

/** Closes a client; without it undici would create an error with a stack each time. */
const DONE = new Error('The exchange is over.');

/** The connection is used for nothing else, and closed in every case. */
const exchange = (request: HttpRequest, socket: Socket, peer: string, signal: AbortSignal): Promise<HttpAnswer> =>
  new Promise((resolve, reject) => {
    let answer: HttpAnswer | null = null;
    let received = 0;
    let settled = false;

    /** @param error why there is no answer, if there is an error */
    const settle = (error: () => Error): void => {
      if (settled) return;
      settled = true;
      signal.removeEventListener('abort', onAbort);
      client.destroy(DONE, () => undefined);
      wire.destroy();
      socket.destroy();
      if (answer) resolve(answer);
      else reject(error());
    };
    const onAbort = (): void => {
      settle(() => signal.reason as Error);
    };
    const onClosed = (): void => {
      settle(() => new NoHttpAnswer(`${peer} closed the connection before it answered.`));
    };
    const onUnreadable = (error: Error): void => {
      settle(() => unreadable(error, peer));
    };

    const wire = new Wire(socket, onUnreadable);
    /** Nothing is read before the request was written, so no answer comes before it. */
    const listen = (): void => {
      socket.on('data', (piece: Buffer) => {
        if (!settled) wire.push(piece);
      });
      socket.once('end', () => {
        if (!settled) wire.push(null);
      });
    };
    socket.once('close', onClosed);
    socket.once('error', (error: Error) => {
      settle(() => broken(error, peer));
    });

    const client = new Client(request.url.origin, {
      connect: (_, callback) => {
        // undici does not send a request within the call that submits it. A second connection would not
        // have been checked.
        queueMicrotask(() => {
          if (settled) {
            callback(DONE, null);
            return;
          }
          try {
            callback(null, wire as unknown as Socket);
            listen();
          } catch (error) {
            onUnreadable(error as Error);
          }
        });
      },
      pipelining: 1,
      maxHeaderSize: HEAD_BYTES,
      // The caller's own time limit covers all of it.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    (client as EventEmitter).on('error', onUnreadable);
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => undefined,
      onResponseStart: (_, status, headers) => {
        if (status >= 200) answer = { status, headers };
      },
      onResponseData: (_, chunk) => {
        received += chunk.length;
        if (received > BODY_BYTES) onClosed();
      },
      onResponseEnd: onClosed,
      onResponseError: (_, error) => {
        onUnreadable(error);
      },
    };

    if (signal.aborted) {
      onAbort();
      return;
    }
    signal.addEventListener('abort', onAbort);
    if (socket.destroyed) {
      onClosed();
      return;
    }
    const { url, method, headers, body } = request;
    client.dispatch(
      {
        path: `${url.pathname}${url.search}`,
        method: method,
        headers,
        body,
        // "connection: close": nothing else will be asked for.
        reset: true,
      },
      handler,
    );
  });

/** What an error of the connection says about the target, or about this machine. */
const broken = (error: NodeJS.ErrnoException, peer: string): NoHttpAnswer | OwnTrouble => {
  const { code = '' } = error;
  // A code of the system or of OpenSSL; anything else is a bug in the program.
  if (isOwnTrouble(code) || !/^E[A-Z_]+$/.test(code))
    return new OwnTrouble(`The exchange with ${peer} failed for a reason of this machine.`, { cause: error });
  return new NoHttpAnswer(`The connection to ${peer} broke (${code}) before it answered.`, { cause: error });
};

/** What undici reports about an answer. Whatever an answer does to undici must not harm anybody else. */
const unreadable = (error: Error, peer: string): NoHttpAnswer => {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'UND_ERR_SOCKET')
    return new NoHttpAnswer(`${peer} closed the connection before it answered.`, { cause: error });
  if (code === 'UND_ERR_HEADERS_OVERFLOW')
    return new NoHttpAnswer(`The headers of the answer of ${peer} are larger than 16 KiB.`, { cause: error });
  return new NoHttpAnswer(`The answer of ${peer} is not valid HTTP.`, { cause: error });
};
