import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { randomUUID } from 'node:crypto';
import type { Registry } from 'prom-client';
import { answeredError, send, type Answered } from './answer.ts';
import { identify, type Caller } from './authentication.ts';
import { createEndpoint, type EndpointDependencies } from './endpoint.ts';
import { HttpError } from './errors.ts';
import { readiness, type Health } from './health.ts';
import { observeRequests } from './metrics.ts';
import { openApiText } from './openapi.ts';
import type { Route } from './route.ts';

export interface AppDependencies extends EndpointDependencies {
  routes: readonly Route[];
  health: Health;
  /** figures that `/metrics` shows */
  registry: Registry;
  /** whose `X-Forwarded-For` is believed, as Express's `trust proxy`; default: nobody's */
  trustProxy?: boolean | number | string;
  /** aborted when the server begins to stop: from then on each answer ends its connection */
  stopping?: AbortSignal;
}

/** The whole API as an Express application: every route, `/openapi.json`, `/health` and `/metrics`. */
export const createApp = (dependencies: AppDependencies): Express => {
  const { routes, health, registry, logger, authenticate, trustProxy = false } = dependencies;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.set('trust proxy', trustProxy);
  const observe = observeRequests(registry);
  const isStopping = () => dependencies.stopping?.aborted ?? false;

  /** Serves one path: asks for the answer, sends it, writes one line and one figure. */
  const serving =
    (path: string, serve: Serve) =>
    (request: Request, response: Response): void => {
      const started = performance.now();
      const requestId = requestIdOf(request);
      void serve(request, requestId)
        .catch((error: unknown) => ({ answered: answeredError(error), caller: null }))
        .then(({ answered, caller }) => {
          const status = send(request, response, answered, { requestId, closing: isStopping() });
          const milliseconds = performance.now() - started;
          observe(request.method, path, status, milliseconds / 1000);
          logger.info(
            { requestId, method: request.method, path: request.path, status, milliseconds, keyId: caller?.keyId },
            'request',
          );
        });
    };

  const get = (path: string, answer: (request: Request) => Promise<Answered>): void => {
    app.all(
      path,
      serving(path, async (request) => {
        if (request.method !== 'GET' && request.method !== 'HEAD') {
          throw new HttpError(405, 'This path does not take this method.', { headers: { Allow: 'GET, HEAD' } });
        }
        return { answered: await answer(request), caller: null };
      }),
    );
  };

  const document = openApiText(routes);
  get('/openapi.json', async () => ({ status: 200, headers: {}, body: document }));
  get('/health/live', async () => ({ status: 200, headers: {}, body: '{"status":"live"}' }));
  get('/health/ready', async () => {
    const { status, body } = await readiness(health);
    return { status, headers: {}, body: JSON.stringify(body) };
  });
  get('/metrics', async (request) => {
    if (!isFromLoopback(request)) await identify(request.headers.authorization, authenticate);
    return { status: 200, headers: { 'Content-Type': registry.contentType }, body: await registry.metrics() };
  });
  for (const [path, ofPath] of byPath(routes))
    app.all(pattern(path), serving(path, createEndpoint(ofPath, dependencies)));

  app.use(
    serving('unknown', async () => {
      throw new HttpError(404, 'There is nothing at this path.');
    }),
  );
  // Express calls a handler of four parameters with errors, here only those of paths it can't decode.
  app.use((error: unknown, request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const requestId = requestIdOf(request);
    const refused = error instanceof URIError ? new HttpError(400, 'The path is not validly encoded.') : error;
    if (refused === error) logger.error({ requestId, err: error }, 'a request failed');
    send(request, response, answeredError(refused), { requestId, closing: isStopping() });
  });
  return app;
};

type Serve = (request: Request, requestId: string) => Promise<{ answered: Answered; caller: Caller | null }>;

/** Routes by path, those with fixed segments before those with a parameter in the same place. */
const byPath = (routes: readonly Route[]): [string, Route[]][] => {
  const paths = new Map<string, Route[]>();
  const shapes = new Map<string, string>();
  for (const route of routes) {
    const shape = route.path.replace(/\{\w+\}/g, '{}');
    const twin = shapes.get(shape) ?? route.path;
    if (twin !== route.path) throw new Error(`${twin} and ${route.path} name one path in two ways.`);
    shapes.set(shape, route.path);
    const known = paths.get(route.path);
    if (known) known.push(route);
    else paths.set(route.path, [route]);
  }
  const order = (path: string): string => path.replaceAll('{', '\u{10ffff}');
  return [...paths].sort(([one], [other]) => (order(one) < order(other) ? -1 : 1));
};

/** `/v1/pages/{page_id}` as Express writes it. */
const pattern = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

const REQUEST_ID = /^[\w.-]{1,64}$/;

/** The caller's own `X-Request-Id` where it is one, else a new one. */
const requestIdOf = (request: Request): string => {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
};

/** A request from this machine itself, not one that a proxy on it has passed on. */
const isFromLoopback = ({ socket, headers }: Request): boolean => {
  if (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined) return false;
  const address = socket.remoteAddress ?? '';
  return address === '::1' || /^(?:::ffff:)?127\./.test(address);
};
