import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { NetworkContext } from './context.ts';
import { peerOf } from './failures.ts';
import { httpTarget } from './http-target.ts';
import { beginExchange } from './http/exchange.ts';
import { HeadFault } from './http/fault.ts';
import { broken, tooLarge, unreadable } from './no-http-answer.ts';
import { openConnection } from './open.ts';
import { OwnTrouble } from './own-trouble.ts';

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

/** An answer whose head decides, whatever happens to its body. */
export interface AnswerWithBody extends HttpAnswer {
  /** null if it is incomplete or too large */
  body: Buffer | null;
}

/** The current phase: `answer` is waiting for one. */
export type HttpPhase = 'lookup' | 'connect' | 'tls' | 'answer';

/** How much of an unwanted body is read, so its sender can finish. */
const BODY_BYTES = 64 * 1024;

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
  return (await exchange(request, socket, peer, context.signal, HEAD_ONLY)).answer;
};

/**
 * The same, with the body if it comes whole.
 *
 * @param most bytes that the body may have
 * @throws LookupFailed, TargetRefused, ConnectFailed, TlsFailed, NoHttpAnswer, OwnTrouble
 */
export const httpAsk = async (
  request: HttpRequest,
  most: number,
  context: NetworkContext,
  enter: (phase: HttpPhase, peer: string) => void,
): Promise<AnswerWithBody> => {
  const { socket, peer } = await opened(request, context, enter);
  const wanted: Wanted = { most, pieces: [], required: false };
  const { answer, whole } = await exchange(request, socket, peer, context.signal, wanted);
  return { ...answer, body: whole ? Buffer.concat(wanted.pieces ?? []) : null };
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
  const { answer } = await exchange(request, socket, peer, signal, { most, pieces, required: true });
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

/** What is wanted of a body. */
interface Wanted {
  /** bytes that are read of it */
  most: number;
  /** receives it; null if nobody wants it */
  pieces: Buffer[] | null;
  /** Without all of it there is no answer; otherwise the head decides. */
  required: boolean;
}

const HEAD_ONLY: Wanted = { most: BODY_BYTES, pieces: null, required: false };

/** The connection is used for nothing else, and closed in every case. */
const exchange = (
  request: HttpRequest,
  socket: Socket,
  peer: string,
  signal: AbortSignal,
  { most, pieces, required }: Wanted,
): Promise<{ answer: HttpAnswer; whole: boolean }> =>
  new Promise((resolve, reject) => {
    let answer: HttpAnswer | null = null;
    let received = 0;

    /** @param error why there is no whole answer */
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
          if (received > most) fail(tooLarge(peer, most));
        },
        end: () => {
          running.close();
          if (answer) resolve({ answer, whole: true });
        },
        aborted: fail,
        fault: (fault) => {
          // Whatever is wrong with the rest of it, there is a status.
          if (fault instanceof HeadFault) answer = { status: fault.head.status, headers: fault.head.headers };
          fail(unreadable(fault, peer, when()));
        },
        broken: (error) => {
          fail(broken(error, peer, when()));
        },
        clientFailed: (cause) => {
          fail(new OwnTrouble(`The exchange with ${peer} failed for a reason of this machine.`, { cause }));
        },
      },
    );
  });
