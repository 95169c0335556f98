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
import { EVENTS_PATH } from './connections/pools.ts';

/** The response to a request, and its caller if known. */
export interface ServedRequest {
  answered: PreparedResponse;
  caller: { actor: Pick<Actor, 'kind' | 'id'> } | null;
}

/** Handles a request. If it rejects, the response is the error, which is logged if it is unexpected. */
export type ServeRequest = (request: Request, requestId: string) => Promise<ServedRequest>;

export interface HandlerDependencies {
  logger: Logger;
  observe: ObserveRequest;
  /** aborted when the server starts to stop; from then on, each response closes its connection */
  stopping?: AbortSignal;
  /** limits streaming responses; overridden by tests */
  admitStream?: AdmitStream;
  /** limits streaming responses of status pages */
  admitVisit?: AdmitStream;
  /** maximum number of event streams; default: {@link MOST_EVENT_STREAMS} */
  mostEventStreams?: number;
}

/** `route` is the declared path, for metrics; `level` is the log level of requests. */
export type CreateHandler = (
  route: string,
  serve: ServeRequest,
  level?: 'info' | 'debug',
) => (request: Request, response: Response) => void;

/** Creates Express handlers that serve a request, send the response, log one line and update metrics. */
export const createHandlers = ({
  logger,
  observe,
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

      const finish = (served: ServedRequest): void => {
        const { answered, caller } = served.answered.type?.keepAlive ? admitted(served) : served;
        const closing = stopping?.aborted ?? false;
        const { status, streamed } = sendResponse(request, response, answered, { requestId, closing }, stopping);
        const milliseconds = performance.now() - started;
        observe(request.method, route, status, milliseconds / 1000);
        // Do not log headers, bodies, queries and keys in paths: they contain secrets.
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
      /** Applies the stream limit, before the stream starts. */
      const admitted = (served: ServedRequest): ServedRequest => {
        if (request.method === 'HEAD') return served;
        try {
          admit(request.ip, response);
          return served;
        } catch (error) {
          return { ...served, answered: prepareError(error) };
        }
      };
      serve(request, requestId)
        .catch(refuse)
        .then(finish)
        .catch((error: unknown) => {
          logger.error({ requestId, err: error }, 'a response could not be sent');
          response.destroy();
        });
    };
  };
};

/** The route label of unknown paths. */
export const UNKNOWN_ROUTE = 'unknown';

const KEY_PARAMETER = /^\{[a-z_]*key\}$/;
/** Matches ids and keys; the id of a heartbeat is a key, since anyone who knows it can ping. */
const LIKE_A_KEY = /(?<![a-z0-9])[a-z0-9]{12,64}(?![a-z0-9])/gi;

/**
 * Replaces keys in paths for the log: the segments of parameters such as `{preview_key}`. In an unknown path a key may
 * be anywhere, as in the mistyped `//v1/heartbeats/…`, so everything that looks like a key is replaced.
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

/** Maximum length of paths in the log. Longer than every valid path; invalid ones must not fill the log. */
const LONGEST_PATH = 200;

const shortened = (path: string): string => (path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…` : path);

const REQUEST_ID = /^[\w.-]{1,64}$/;

/** The `X-Request-Id` of the request if it is valid, otherwise a new id. */
const requestIdOf = (request: Request): string => {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
};
