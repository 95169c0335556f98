import type { Request, Response } from 'express';
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Actor } from '../domain/event.ts';
import { prepareError, sendResponse, type PreparedResponse } from './response.ts';
import { failureLogOf } from './failure-log.ts';
import {
  createStreamLimit,
  eventStreamLimits,
  MOST_EVENT_STREAMS,
  VISIT_STREAM_LIMITS,
  type AdmitStream,
} from './media/stream-limit.ts';
import type { ObserveRequest } from './metrics.ts';
import type { TraceRequest } from './request-trace.ts';
import { EVENTS_PATH } from './connections/pools.ts';

/** The response to a request, and the caller if it is known. */
export interface ServedRequest {
  answered: PreparedResponse;
  caller: { actor: Pick<Actor, 'kind' | 'id'> } | null;
}

/** Serves a request. If the promise rejects, the error is sent as the response, and unexpected errors are logged. */
export type ServeRequest = (request: Request, requestId: string) => Promise<ServedRequest>;

export interface HandlerDependencies {
  logger: Logger;
  observe: ObserveRequest;
  /** starts the traces of requests; absent: requests are not traced */
  traceRequest?: TraceRequest | undefined;
  /** aborts when the server starts to stop; after that, each response closes its connection */
  stopping?: AbortSignal;
  /** limits endless responses; tests pass their own */
  admitStream?: AdmitStream;
  /** limits endless responses of status pages */
  admitVisit?: AdmitStream;
  /** maximum number of event streams; default: {@link MOST_EVENT_STREAMS} */
  mostEventStreams?: number;
}

/**
 * Creates the Express handler of a route. `route` is the declared path, for metrics. `level` is the log level of
 * requests.
 */
export type CreateHandler = (
  route: string,
  serve: ServeRequest,
  level?: 'info' | 'debug',
) => (request: Request, response: Response) => void;

/** Creates Express handlers. A handler serves a request, sends the response, logs one line and updates metrics. */
export const createHandlers = ({
  logger,
  observe,
  traceRequest,
  stopping,
  admitStream = createStreamLimit(),
  admitVisit = createStreamLimit(VISIT_STREAM_LIMITS),
  mostEventStreams = MOST_EVENT_STREAMS,
}: HandlerDependencies): CreateHandler => {
  const logFailure = failureLogOf(logger);
  const admitEvents = createStreamLimit(eventStreamLimits(mostEventStreams));
  return (route, serve, level = 'info') => {
    const withoutKeys = hidingKeys(route);
    const admit = route.startsWith('/status/') ? admitVisit : route === EVENTS_PATH ? admitEvents : admitStream;
    return (request, response) => {
      const started = performance.now();
      const requestId = requestIdOf(request);
      // Requests that programs poll are not traced, because they would outnumber all others.
      const traced =
        level === 'info' ? traceRequest?.(request, route === UNKNOWN_ROUTE ? null : route, requestId) : undefined;

      const finish = (served: ServedRequest): void => {
        const { answered, caller } = served.answered.type?.keepAlive ? admitted(served) : served;
        const closing = stopping?.aborted ?? false;
        const { status, streamed } = sendResponse(request, response, answered, { requestId, closing }, stopping);
        const milliseconds = performance.now() - started;
        observe(request.method, route, status, milliseconds / 1000);
        traced?.end(status);
        // Headers, bodies, queries and keys in paths are not logged, because they contain secrets.
        const { method } = request;
        const path = shortened(withoutKeys(request.path));
        const actor = caller ? { kind: caller.actor.kind, id: caller.actor.id } : undefined;
        logger[level]({ requestId, method, path, status, milliseconds, actor }, 'request');
        streamed?.catch((error: unknown) => {
          logger.error({ requestId, err: error }, 'a response could not be sent completely');
        });
      };
      const refuse = (error: unknown): ServedRequest => {
        const answered = prepareError(error);
        if (answered.status >= 500) logFailure({ requestId, status: answered.status, error });
        return { answered, caller: null };
      };
      /** Applies the limit of endless responses, before the response starts. */
      const admitted = (served: ServedRequest): ServedRequest => {
        if (request.method === 'HEAD') return served;
        try {
          admit(request.ip, response);
          return served;
        } catch (error) {
          return { ...served, answered: prepareError(error) };
        }
      };
      (traced ? traced.run(() => serve(request, requestId)) : serve(request, requestId))
        .catch(refuse)
        .then(finish)
        .catch((error: unknown) => {
          logger.error({ requestId, err: error }, 'a response could not be sent');
          traced?.end(500);
          response.destroy();
        });
    };
  };
};

/** The route label for requests of unknown paths. */
export const UNKNOWN_ROUTE = 'unknown';

const KEY_PARAMETER = /^\{[a-z_]*key\}$/;
/** Matches ids and keys. The id of a heartbeat counts as a key, because anyone who knows it can send a ping. */
const LIKE_A_KEY = /(?<![a-z0-9])[a-z0-9]{12,64}(?![a-z0-9])/gi;

/**
 * Returns a function that replaces keys in paths, for the log. In a known path, the segments of parameters such as
 * `{preview_key}` are replaced. In an unknown path, such as the mistyped `//v1/heartbeats/…`, a key may be anywhere, so
 * everything that looks like a key is replaced.
 */
const hidingKeys = (route: string): ((path: string) => string) => {
  if (route === UNKNOWN_ROUTE) return (path) => path.replace(LIKE_A_KEY, '…');
  const isKey = route.split('/').map((part) => KEY_PARAMETER.test(part));
  if (!isKey.includes(true)) return (path) => path;
  return (path) =>
    path
      .split('/')
      .map((part, index) => (isKey[index] ? '…' : part))
      .join('/');
};

/** Maximum length of a path in the log, in characters. Every valid path is shorter; longer ones would fill the log. */
const LONGEST_PATH = 200;

const shortened = (path: string): string => (path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…` : path);

const REQUEST_ID = /^[\w.-]{1,64}$/;

/** Returns the `X-Request-Id` of the request if it is valid, and otherwise a new id. */
const requestIdOf = (request: Request): string => {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
};
