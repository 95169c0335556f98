import type { Request, Response } from 'express';
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Actor } from '../domain/event.ts';
import { answeredError, send, type Answered } from './answer.ts';
import { failureLogOf } from './failure-log.ts';
import {
  createStreamLimit,
  eventStreamLimits,
  MOST_EVENT_STREAMS,
  VISIT_STREAM_LIMITS,
  type AdmitStream,
} from './media/stream-limit.ts';
import type { ObserveRequest } from './metrics.ts';
import { EVENTS_PATH } from './pools.ts';

/** The answer to a request, and its caller, as far as known. */
export interface Served {
  answered: Answered;
  caller: { actor: Pick<Actor, 'kind' | 'id'> } | null;
}

/** Answers a request. If it rejects, the error is answered, and logged if it was unexpected. */
export type Serve = (request: Request, requestId: string) => Promise<Served>;

export interface ServingDependencies {
  logger: Logger;
  observe: ObserveRequest;
  /** aborted when the server begins to stop; from then on each answer ends its connection */
  stopping?: AbortSignal;
  /** counts endless answers; tests use their own */
  admitStream?: AdmitStream;
  /** the same for those of status pages; default: as many as there may be visitors */
  admitVisit?: AdmitStream;
  /** how many streams of events there may be; default: {@link MOST_EVENT_STREAMS} */
  mostEventStreams?: number;
}

/** `route` is the declared path, for metrics; `level` that of the log line of each request. */
export type Serving = (
  route: string,
  serve: Serve,
  level?: 'info' | 'debug',
) => (request: Request, response: Response) => void;

/** Makes Express handlers that get an answer, send it, log one line and count it. */
export const createServing = ({
  logger,
  observe,
  stopping,
  admitStream = createStreamLimit(),
  admitVisit = createStreamLimit(VISIT_STREAM_LIMITS),
  mostEventStreams = MOST_EVENT_STREAMS,
}: ServingDependencies): Serving => {
  const logFailure = failureLogOf(logger);
  const admitEvents = createStreamLimit(eventStreamLimits(mostEventStreams));
  return (route, serve, level = 'info') => {
    const withoutKeys = hidingKeys(route);
    const admit = route.startsWith('/status/') ? admitVisit : route === EVENTS_PATH ? admitEvents : admitStream;
    return (request, response) => {
      const started = performance.now();
      const requestId = requestIdOf(request);

      const finish = (served: Served): void => {
        const { answered, caller } = served.answered.type?.endless ? admitted(served) : served;
        const closing = stopping?.aborted ?? false;
        const { status, streamed } = send(request, response, answered, { requestId, closing }, stopping);
        const milliseconds = performance.now() - started;
        observe(request.method, route, status, milliseconds / 1000);
        // Neither headers nor bodies nor queries nor keys in paths: they hold secrets.
        const { method } = request;
        const path = shortened(withoutKeys(request.path));
        const actor = caller ? { kind: caller.actor.kind, id: caller.actor.id } : undefined;
        logger[level]({ requestId, method, path, status, milliseconds, actor }, 'request');
        streamed?.catch((error: unknown) => {
          logger.error({ requestId, err: error }, 'an answer could not be sent completely');
        });
      };
      const refuse = (error: unknown): Served => {
        const answered = answeredError(error);
        if (answered.status >= 500) logFailure({ requestId, status: answered.status, error });
        return { answered, caller: null };
      };
      /** The stream has not begun yet: it can still be refused. */
      const admitted = (served: Served): Served => {
        if (request.method === 'HEAD') return served;
        try {
          admit(request.ip, response);
          return served;
        } catch (error) {
          return { ...served, answered: answeredError(error) };
        }
      };
      serve(request, requestId)
        .catch(refuse)
        .then(finish)
        .catch((error: unknown) => {
          logger.error({ requestId, err: error }, 'an answer could not be sent');
          response.destroy();
        });
    };
  };
};

/** The route of paths that there are not. */
export const UNKNOWN = 'unknown';

const KEY_PARAMETER = /^\{[a-z_]*key\}$/;
/** What may be an id or a key: a heartbeat is pinged by whoever knows its id. */
const LIKE_A_KEY = /(?<![a-z0-9])[a-z0-9]{12,64}(?![a-z0-9])/gi;

/**
 * A path without what stands where its route has a key, such as `{preview_key}`: it opens what it is the key of. Where
 * there is no such path, a key may stand anywhere: whoever pings `//v1/heartbeats/…` meant one.
 */
const hidingKeys = (route: string): ((path: string) => string) => {
  if (route === UNKNOWN) return (path) => path.replace(LIKE_A_KEY, '…');
  const isKey = route.split('/').map((part) => KEY_PARAMETER.test(part));
  if (!isKey.includes(true)) return (path) => path;
  return (path) =>
    path
      .split('/')
      .map((part, index) => (isKey[index] ? '…' : part))
      .join('/');
};

/** Longer than every real path, so that invalid ones can't fill the log. */
const LONGEST_PATH = 200;

const shortened = (path: string): string => (path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…` : path);

const REQUEST_ID = /^[\w.-]{1,64}$/;

/** The caller's own `X-Request-Id` if it is valid, else a new one. */
const requestIdOf = (request: Request): string => {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
};
