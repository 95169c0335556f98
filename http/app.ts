import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { answeredError, type Answered } from './answer.ts';
import { authorizationOf } from './authorization.ts';
import type { Proxies } from './client-address.ts';
import { ANSWERED_WITHIN, createDeadline } from './deadline.ts';
import { HttpError, methodNotAllowed } from './errors.ts';
import { readiness, type Health } from './health.ts';
import { mayReadMetrics, type MetricsAccess } from './metrics-access.ts';
import { observeRequests } from './metrics.ts';
import { HTML } from './media/types.ts';
import { mapPageHosts, NO_PAGE_HOSTS, type PageHosts } from './hosts/page-hosts.ts';
import { createPathTree, type Found } from './path-tree.ts';
import { createServing, UNKNOWN, type Serve } from './serving.ts';

/** What is served at a path: `/v1/pages/{page_id}`, parameters in braces. */
export interface Endpoint {
  path: string;
  serve: Serve;
  /** level of the log line of each request; default: info */
  level?: 'info' | 'debug';
}

export interface AppDependencies {
  /** of all surfaces; each path once */
  endpoints: readonly Endpoint[];
  health: Health;
  /** metrics that `/metrics` shows */
  registry: Registry;
  /** who may read the figures without an API key */
  metricsAccess: MetricsAccess;
  /** Lets a caller with an API key read the figures. @throws HttpError 401, 403, 429 */
  identify: (authorization: string | undefined, address: string | undefined) => Promise<unknown>;
  /** which proxies are trusted to name the client's address */
  proxies: Proxies;
  /** which hosts are those of status pages; default: none */
  pageHosts?: PageHosts;
  logger: Logger;
  /** aborted when the server begins to stop; from then on each answer ends its connection */
  stopping?: AbortSignal;
  /** milliseconds; tests use another one than {@link ANSWERED_WITHIN} */
  answeredWithin?: number;
  /** how many streams of events there may be; default: as http/serving.ts says */
  mostEventStreams?: number;
}

/** What monitors and orchestrators request, which has to be answered however busy the service is. */
const URGENT = ['/health/live', '/health/ready', '/metrics'];

export const isUrgent = ({ url = '' }: Pick<IncomingMessage, 'url'>): boolean =>
  URGENT.some((path) => url.startsWith(path) && (url.length === path.length || url[path.length] === '?'));

/** Everything that is served, as an Express application: all paths, `/health` and `/metrics`. */
export const createApp = (dependencies: AppDependencies): Express => {
  const { health, registry, logger, identify, proxies, metricsAccess, stopping } = dependencies;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  // Express would take any text in the header for an address.
  Object.defineProperty(app.request, 'ip', {
    get(this: Request) {
      return proxies.clientOf(this);
    },
  });
  Object.defineProperty(app.request, 'secure', {
    get(this: Request) {
      return proxies.isSecure(this);
    },
  });
  const serving = createServing({
    logger,
    observe: observeRequests(registry),
    ...(stopping && { stopping }),
    ...(dependencies.mostEventStreams !== undefined && { mostEventStreams: dependencies.mostEventStreams }),
  });

  const own = (path: string, answer: (request: Request) => Promise<Answered>): Endpoint =>
    reading(path, answer, dependencies.answeredWithin);
  const endpoints = [
    ...dependencies.endpoints,
    own('/health/live', async () => ({ status: 200, headers: {}, body: '{"status":"live"}' })),
    own('/health/ready', async () => {
      const { status, body } = await readiness(health);
      return { status, headers: {}, body: JSON.stringify(body) };
    }),
    own('/metrics', async (request) => {
      if (!mayReadMetrics(request, metricsAccess)) await identify(authorizationOf(request), request.ip);
      return { status: 200, headers: { 'Content-Type': registry.contentType }, body: await registry.metrics() };
    }),
  ];
  const find = createPathTree(
    endpoints.map(({ path, serve, level }) => ({ path, value: serving(path, serve, level) })),
  );
  const refusing = (error: unknown): ReturnType<typeof serving> =>
    serving(UNKNOWN, async (request) => {
      if (!isBrowser(request) || !(error instanceof HttpError)) throw error;
      return { answered: answeredError(error, HTML, request.headers['accept-language']), caller: null };
    });
  const unknown = refusing(new HttpError(404, 'There is nothing at this path.'));
  const undecodable = refusing(new HttpError(400, 'The path is not validly encoded.'));

  const mapHost = mapPageHosts(dependencies.pageHosts ?? NO_PAGE_HOSTS, proxies);
  const dispatch = (request: Request, response: Response): void => {
    const found = findOr(undecodable, () => find(request.path)) ?? { value: unknown, params: {} };
    request.params = found.params;
    found.value(request, response);
  };
  app.use((request: Request, response: Response) => {
    const mapping = mapHost(request);
    if (!mapping) {
      dispatch(request, response);
      return;
    }
    mapping
      .catch((error: unknown) => {
        // Monitors get an answer whatever does not work.
        if (!isUrgent(request)) throw error;
      })
      .then(() => {
        dispatch(request, response);
      })
      .catch((error: unknown) => {
        refusing(error)(request, response);
      });
  });
  // Express calls a handler of four parameters with what was thrown.
  app.use((error: unknown, request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) next(error);
    else refusing(error)(request, response);
  });
  return app;
};

/** Whether a person reads the answer: browsers name HTML. Callers of the API get JSON whatever they name. */
const isBrowser = ({ headers, path }: Request): boolean =>
  !path.startsWith('/v1/') && /\btext\/html\b/i.test(headers.accept ?? '');

/** A read-only path that programs request all the time. */
export const reading = (
  path: string,
  answer: (request: Request) => Promise<Answered>,
  answeredWithin = ANSWERED_WITHIN,
): Endpoint => ({
  path,
  level: 'debug',
  serve: async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed('GET, HEAD');
    return { answered: await createDeadline(answeredWithin).within(answer(request)), caller: null };
  },
});

/** What is found; the other one where a part of the path can't be decoded. */
const findOr = <T>(undecodable: T, find: () => Found<T> | null): Found<T> | null => {
  try {
    return find();
  } catch (error) {
    if (error instanceof URIError) return { value: undecodable, params: {} };
    throw error;
  }
};
