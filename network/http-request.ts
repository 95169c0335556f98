import type { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { Client, type Dispatcher } from 'undici';
import type { NetworkContext } from './context.ts';
import { peerOf } from './failures.ts';
import { httpTarget } from './http-target.ts';
import { Wire } from './http-wire.ts';
import { broken, NoHttpAnswer, tooLarge, unreadable } from './no-http-answer.ts';
import { openConnection } from './open.ts';

export interface HttpRequest {
  /** http or https; a user name and a password in it are not sent */
  url: URL;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string | Buffer | null;
}

/** The head of an answer. */
export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
}

/** An answer with its body as it came: whole, and compressed if the request allowed that. */
export interface WholeHttpAnswer extends HttpAnswer {
  body: Buffer;
}

/** The current phase: `answer` is waiting for one. */
export type HttpPhase = 'lookup' | 'connect' | 'tls' | 'answer';

/** How much of an unwanted body is read, so its sender can finish. */
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
  const { socket, peer } = await opened(request, context, enter);
  return exchange(request, socket, peer, context.signal, null);
};

/**
 * The same, but with the body, which must be complete.
 *
 * When the context's signal ends it, it rejects with the signal's reason.
 *
 * @param most bytes that the body may have
 * @throws LookupFailed, TargetRefused, ConnectFailed, TlsFailed, NoHttpAnswer, OwnTrouble
 */
export const httpFetch = async (
  request: HttpRequest,
  most: number,
  context: NetworkContext,
  enter: (phase: HttpPhase, peer: string) => void = () => undefined,
): Promise<WholeHttpAnswer> => {
  const { socket, peer } = await opened(request, context, enter);
  return httpExchange(request, socket, peer, most, context.signal);
};

/**
 * Sends one request over an open connection and reads the whole answer. The connection is closed in every case.
 *
 * @throws NoHttpAnswer, OwnTrouble
 */
export const httpExchange = async (
  request: HttpRequest,
  socket: Socket,
  peer: string,
  most: number,
  signal: AbortSignal,
): Promise<WholeHttpAnswer> => {
  const pieces: Buffer[] = [];
  const answer = await exchange(request, socket, peer, signal, { most, pieces });
  return { ...answer, body: Buffer.concat(pieces) };
};

const opened = async (
  { url }: HttpRequest,
  context: NetworkContext,
  enter: (phase: HttpPhase, peer: string) => void,
): Promise<{ socket: Socket; peer: string }> => {
  const target = httpTarget(url);
  const { socket, address } = await openConnection(target, context, { enter, connected: () => undefined });
  const peer = peerOf(address.address, target.port);
  enter('answer', peer);
  return { socket, peer };
};

/** Closes a client; without it undici would create an error with a stack each time. */
const DONE = new Error('The exchange is over.');

/** A body that is wanted. */
interface Wanted {
  most: number;
  pieces: Buffer[];
}

/**
 * The connection is used for nothing else, and closed in every case.
 *
 * @param wanted null if the head is enough
 */
const exchange = (
  request: HttpRequest,
  socket: Socket,
  peer: string,
  signal: AbortSignal,
  wanted: Wanted | null,
): Promise<HttpAnswer> =>
  new Promise((resolve, reject) => {
    let answer: HttpAnswer | null = null;
    let whole = false;
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
      if (answer && (whole || !wanted)) resolve(answer);
      else reject(error());
    };
    const when = (): string => (answer ? 'in the middle of its answer' : 'before it answered');
    const onAbort = (): void => {
      settle(() => signal.reason as Error);
    };
    const onClosed = (): void => {
      settle(() => new NoHttpAnswer(`${peer} closed the connection ${when()}.`));
    };
    const onUnreadable = (error: Error): void => {
      settle(() => unreadable(error, peer, when()));
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
      settle(() => broken(error, peer, when()));
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
        wanted?.pieces.push(chunk);
        if (received > (wanted?.most ?? BODY_BYTES)) settle(() => tooLarge(peer, wanted?.most ?? 0));
      },
      onResponseEnd: () => {
        whole = true;
        onClosed();
      },
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
