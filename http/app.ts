import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { prepareError, type PreparedResponse } from './response.ts';
import { authorizationOf } from './authorization.ts';
import type { Proxies } from './client-address.ts';
import { RESPONSE_DEADLINE_MS, createDeadline } from './deadline.ts';
import { HttpError, methodNotAllowed } from './errors.ts';
import { readiness, type Health } from './health.ts';
import { mayReadMetrics, type MetricsAccess } from './metrics-access.ts';
import { metricsResponse, type DescribeChecks } from './metrics-response.ts';
import { observeRequests } from './metrics.ts';
import { HTML } from './media/media-types.ts';
import { mapPageHosts, NO_PAGE_HOSTS, type PageHosts } from './hosts/page-hosts.ts';
import { createPathTree, type PathMatch } from './path-tree.ts';
import { createHandlers, UNKNOWN_ROUTE, type ServeRequest } from './request-handlers.ts';
import type { TraceRequest } from './request-trace.ts';
import type { Caller } from './routes/caller.ts';

/** A path and the function that serves its requests. */
export interface Endpoint {
  /** path with parameters in braces: `/v1/pages/{page_id}` */
  path: string;
  serve: ServeRequest;
  /** log level of the line that is logged for each request; default: info */
  level?: 'info' | 'debug';
}

export interface AppDependencies {
  /** endpoints of all surfaces; each path occurs once */
  endpoints: readonly Endpoint[];
  health: Health;
  /** metrics for `/metrics` */
  registry: Registry;
  /** who is allowed to read the metrics without an API key */
  metricsAccess: MetricsAccess;
  /**
   * Authenticates a caller who reads the metrics with an API key.
   *
   * @throws HttpError 401, 403, 429
   */
  identify: (authorization: string | undefined, address: string | undefined) => Promise<Pick<Caller, 'organizationId'>>;
  /** starts the traces of requests; absent: requests are not traced */
  traceRequest?: TraceRequest | undefined;
  /** returns the metrics of checks; absent: `/metrics` contains none */
  describeChecks?: DescribeChecks | undefined;
  /** proxies that are trusted to report the client's address */
  proxies: Proxies;
  /** host names of status pages; default: none */
  pageHosts?: PageHosts;
  logger: Logger;
  /** aborts when the server starts to stop; after that, each response closes its connection */
  stopping?: AbortSignal;
  /** time limit for a response of `/health` and `/metrics`, in milliseconds; default: {@link RESPONSE_DEADLINE_MS} */
  answeredWithin?: number;
  /** maximum number of concurrent event streams; default: see http/request-handlers.ts */
  mostEventStreams?: number;
}

/** Paths for monitoring and orchestration systems. They need a response even if the service is busy. */
const URGENT = ['/health/live', '/health/ready', '/metrics'];

export const isUrgent = ({ url = '' }: Pick<IncomingMessage, 'url'>): boolean =>
  URGENT.some((path) => url.startsWith(path) && (url.length === path.length || url[path.length] === '?'));

/** Creates the Express application that serves all endpoints, `/health` and `/metrics`. */
export const createApp = (dependencies: AppDependencies): Express => {
  const { health, registry, logger, identify, proxies, metricsAccess, stopping } = dependencies;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  // Express would accept any text in `X-Forwarded-For` as the address, so `ip` is replaced.
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
  const serving = createHandlers({
    logger,
    observe: observeRequests(registry),
    traceRequest: dependencies.traceRequest,
    ...(stopping && { stopping }),
    ...(dependencies.mostEventStreams !== undefined && { mostEventStreams: dependencies.mostEventStreams }),
  });

  const own = (path: string, answer: (request: Request) => Promise<PreparedResponse>): Endpoint =>
    pollEndpoint(path, answer, dependencies.answeredWithin);
  const endpoints = [
    ...dependencies.endpoints,
    own('/health/live', async () => ({ status: 200, headers: {}, body: '{"status":"live"}' })),
    own('/health/ready', async () => {
      const { status, body } = await readiness(health);
      return { status, headers: {}, body: JSON.stringify(body) };
    }),
    own('/metrics', async (request) => {
      const ofOperator = mayReadMetrics(request, metricsAccess);
      const caller = ofOperator ? null : await identify(authorizationOf(request), request.ip);
      return metricsResponse(registry, dependencies.describeChecks, caller?.organizationId ?? null);
    }),
  ];
  const find = createPathTree(
    endpoints.map(({ path, serve, level }) => ({ path, value: serving(path, serve, level) })),
  );
  const refusing = (error: unknown): ReturnType<typeof serving> =>
    serving(UNKNOWN_ROUTE, async (request) => {
      if (!isBrowser(request) || !(error instanceof HttpError)) throw error;
      return { answered: prepareError(error, HTML, request.headers['accept-language']), caller: null };
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
        // Urgent requests get a response even if host names cannot be looked up.
        if (!isUrgent(request)) throw error;
      })
      .then(() => {
        dispatch(request, response);
      })
      .catch((error: unknown) => {
        refusing(error)(request, response);
      });
  });
  // Express recognises an error handler by its four parameters.
  app.use((error: unknown, request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) next(error);
    else refusing(error)(request, response);
  });
  return app;
};

/**
 * Returns whether a person will read the response. Browsers accept HTML, but paths of the API always respond with JSON.
 */
const isBrowser = ({ headers, path }: Request): boolean =>
  !path.startsWith('/v1/') && /\btext\/html\b/i.test(headers.accept ?? '');

/** Creates a read-only endpoint that programs poll. Its requests are logged at level debug. */
export const pollEndpoint = (
  path: string,
  answer: (request: Request) => Promise<PreparedResponse>,
  answeredWithin = RESPONSE_DEADLINE_MS,
): Endpoint => ({
  path,
  level: 'debug',
  serve: async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed('GET, HEAD');
    return { answered: await createDeadline(answeredWithin).within(answer(request)), caller: null };
  },
});

/** Returns the result of `find`, or `undecodable` if a part of the path cannot be decoded. */
const findOr = <T>(undecodable: T, find: () => PathMatch<T> | null): PathMatch<T> | null => {
  try {
    return find();
  } catch (error) {
    if (error instanceof URIError) return { value: undecodable, params: {} };
    throw error;
  }
};
