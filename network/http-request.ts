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
  /** http or https; a user name and a password in it are not sent */
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

/** A response with its whole body, still compressed if the request allowed that. */
export interface HttpResponseWithBody extends HttpResponse {
  body: Buffer;
}

/** A response that counts once its head has arrived, whatever happens to the body. */
export interface HttpResponseWithOptionalBody extends HttpResponse {
  /** null if it is incomplete or too large */
  body: Buffer | null;
}

/** The current phase; `answer` is waiting for a response. */
export type HttpPhase = 'lookup' | 'connect' | 'tls' | 'answer';

/** Maximum bytes to read of an unwanted body, so that its sender can finish. */
const BODY_BYTES = 64 * 1024;

/**
 * Sends one request over a new connection to an address that the policy allows, and reads the head of the response. A
 * redirect is a response like any other. After the head, the body no longer matters.
 *
 * Rejects with the reason of the context's signal when that aborts before the head has arrived.
 *
 * @param enter called when a phase begins; `peer` is its subject: a host name, then `127.0.0.1:443`
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
 * Like {@link httpRequest}, with the body if all of it arrives.
 *
 * @param most maximum size of the body, bytes
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
 * Like {@link httpRequest}, but requires the whole body.
 *
 * Rejects with the reason of the context's signal when that aborts.
 *
 * @param most maximum size of the body, bytes
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
  /** maximum bytes to read */
  most: number;
  /** receives the body; null discards it */
  pieces: Buffer[] | null;
  /** true: an incomplete body is a failure; false: the head is enough */
  required: boolean;
}

const HEAD_ONLY: Wanted = { most: BODY_BYTES, pieces: null, required: false };

/** Uses the connection for one request only, and always closes it. */
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

    /** @param error why the response is incomplete */
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
          // The status is known, even if the rest of the head is invalid.
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
