import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { NetworkContext } from './context.ts';
import { peerOf } from './failure-sentences.ts';
import { httpTarget } from './http-target.ts';
import { beginExchange } from './http/exchange.ts';
import { HeadFault } from './http/fault.ts';
import { brokenExchange, responseTooLarge, invalidResponse } from './no-http-response.ts';
import { openConnection } from './open-connection.ts';
import { LocalFailure } from './local-failure.ts';

export interface HttpRequest {
  /** with the scheme http or https; a user name and password in the URL are not sent */
  url: URL;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string | Buffer | null;
}

/** The head of a response. */
export interface HttpResponse {
  status: number;
  headers: IncomingHttpHeaders;
}

/** A response with its whole body. The body may be compressed if the request allowed that. */
export interface HttpResponseWithBody extends HttpResponse {
  body: Buffer;
}

/** A response whose body may be missing. The request succeeds when the head has arrived. */
export interface HttpResponseWithOptionalBody extends HttpResponse {
  /** null if the body is incomplete or too large */
  body: Buffer | null;
}

/** The current phase of a request. In phase `answer`, the client waits for the response. */
export type HttpPhase = 'lookup' | 'connect' | 'tls' | 'answer';

/** Number of bytes to read of a body that the caller does not need, so that the server can finish sending. */
const BODY_BYTES = 64 * 1024;

/**
 * Sends one request over a new connection to an address that the policy allows, and reads the head of the response.
 * Does not follow redirects. An incomplete body is no failure.
 *
 * Rejects with the reason of the context's signal if the signal aborts before the head has arrived.
 *
 * @param enter called at the start of each phase; `peer` is a host name in phase `lookup`, and then an address such as
 * `127.0.0.1:443`
 * @throws LookupFailed, TargetRefused, ConnectFailed, TlsFailed, NoHttpResponse, LocalFailure
 */
export const httpRequest = async (
  request: HttpRequest,
  context: NetworkContext,
  enter: (phase: HttpPhase, peer: string) => void,
): Promise<HttpResponse> => {
  const { socket, peer } = await opened(request, context, enter);
  return (await exchange(request, socket, peer, context.signal, HEAD_ONLY)).answer;
};

/**
 * Like {@link httpRequest}, but also returns the body if all of it arrives.
 *
 * @param most maximum size of the body, in bytes
 * @throws LookupFailed, TargetRefused, ConnectFailed, TlsFailed, NoHttpResponse, LocalFailure
 */
export const httpRequestWithBody = async (
  request: HttpRequest,
  most: number,
  context: NetworkContext,
  enter: (phase: HttpPhase, peer: string) => void,
): Promise<HttpResponseWithOptionalBody> => {
  const { socket, peer } = await opened(request, context, enter);
  const wanted: Wanted = { most, pieces: [], required: false };
  const { answer, whole } = await exchange(request, socket, peer, context.signal, wanted);
  return { ...answer, body: whole ? Buffer.concat(wanted.pieces ?? []) : null };
};

/**
 * Like {@link httpRequest}, but returns the body, and fails if the body is incomplete.
 *
 * Rejects with the reason of the context's signal when the signal aborts.
 *
 * @param most maximum size of the body, in bytes
 * @throws LookupFailed, TargetRefused, ConnectFailed, TlsFailed, NoHttpResponse, LocalFailure
 */
export const httpFetch = async (
  request: HttpRequest,
  most: number,
  context: NetworkContext,
  enter: (phase: HttpPhase, peer: string) => void = () => undefined,
): Promise<HttpResponseWithBody> => {
  const { socket, peer } = await opened(request, context, enter);
  return httpExchange(request, socket, peer, most, context.signal);
};

/**
 * Sends one request over an open connection and reads the whole response. Always closes the connection.
 *
 * @param most maximum size of the body, in bytes
 * @throws NoHttpResponse, LocalFailure
 */
export const httpExchange = async (
  request: HttpRequest,
  socket: Socket,
  peer: string,
  most: number,
  signal: AbortSignal,
): Promise<HttpResponseWithBody> => {
  const pieces: Buffer[] = [];
  const { answer } = await exchange(request, socket, peer, signal, { most, pieces, required: true });
  return { ...answer, body: Buffer.concat(pieces) };
};

const opened = async (
  { url }: HttpRequest,
  context: NetworkContext,
  enter: (phase: HttpPhase, peer: string) => void,
): Promise<{ socket: Socket; peer: string }> => {
  const target = httpTarget(url);
  const { socket, address } = await openConnection(target, context, { phaseBegins: enter, connected: () => undefined });
  const peer = peerOf(address.address, target.port);
  enter('answer', peer);
  return { socket, peer };
};

/** How much of a body the caller wants. */
interface Wanted {
  /** maximum number of bytes to read */
  most: number;
  /** the chunks of the body are added here; null: the body is discarded */
  pieces: Buffer[] | null;
  /** true: an incomplete body is a failure; false: the head is enough */
  required: boolean;
}

const HEAD_ONLY: Wanted = { most: BODY_BYTES, pieces: null, required: false };

/** Sends one request over the connection, reads the response, and closes the connection. */
const exchange = (
  request: HttpRequest,
  socket: Socket,
  peer: string,
  signal: AbortSignal,
  { most, pieces, required }: Wanted,
): Promise<{ answer: HttpResponse; whole: boolean }> =>
  new Promise((resolve, reject) => {
    let answer: HttpResponse | null = null;
    let received = 0;

    /**
     * Ends the exchange early.
     *
     * @param error why the response is incomplete
     */
    const fail = (error: Error): void => {
      running.close();
      if (answer && !required) resolve({ answer, whole: false });
      else reject(error);
    };
    const when = (): string => (answer ? 'in the middle of its answer' : 'before it answered');

    const running = beginExchange(
      request,
      { socket, signal },
      {
        head: ({ status, headers }) => {
          answer = { status, headers };
        },
        data: (chunk) => {
          received += chunk.length;
          pieces?.push(chunk);
          if (received > most) fail(responseTooLarge(peer, most));
        },
        end: () => {
          running.close();
          if (answer) resolve({ answer, whole: true });
        },
        aborted: fail,
        fault: (fault) => {
          // The status line was readable, although another part of the head is invalid.
          if (fault instanceof HeadFault) answer = { status: fault.head.status, headers: fault.head.headers };
          fail(invalidResponse(fault, peer, when()));
        },
        broken: (error) => {
          fail(brokenExchange(error, peer, when()));
        },
        clientFailed: (cause) => {
          fail(new LocalFailure(`The exchange with ${peer} failed because of a problem on this machine.`, { cause }));
        },
      },
    );
  });
