import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { Registry } from 'prom-client';
import type { Answered } from '../http/answer.ts';
import type { Proxies } from '../http/client-address.ts';
import { createSealClient } from './client.ts';
import { createEndpoint, type EndpointDependencies } from './endpoint.ts';
import { ANSWERED_WITHIN, createDeadline } from '../http/deadline.ts';
import { HttpError, methodNotAllowed } from '../http/errors.ts';
import { readiness, type Health } from '../http/health.ts';
import { mayReadMetrics, type MetricsAccess } from '../http/metrics-access.ts';
import { observeRequests } from '../http/metrics.ts';
import { openApiText } from './openapi/document.ts';
import type { Route } from './route.ts';
import { createServing } from '../http/serving.ts';

export interface AppDependencies extends Omit<EndpointDependencies, 'sealClient'> {
  routes: readonly Route[];
  health: Health;
  /** figures that `/metrics` shows */
  registry: Registry;
  /** whose word counts about where a request comes from */
  proxies: Proxies;
  /** who may read the figures without an API key */
  metricsAccess: MetricsAccess;
  /** aborted when the server begins to stop: from then on each answer ends its connection */
  stopping?: AbortSignal;
}

/** The whole API as an Express application: every route, `/openapi.json`, `/health` and `/metrics`. */
export const createApp = (dependencies: AppDependencies): Express => {
  const { routes, health, registry, logger, identify, proxies, metricsAccess } = dependencies;
  const { answeredWithin = ANSWERED_WITHIN } = dependencies;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  // Express would take what a header says for an address, whatever it is.
  Object.defineProperty(app.request, 'ip', {
    get(this: Request) {
      return proxies.clientOf(this);
    },
  });
  const serving = createServing({
    logger,
    observe: observeRequests(registry),
    isStopping: () => dependencies.stopping?.aborted ?? false,
  });

  const get = (path: string, answer: (request: Request) => Promise<Answered>): void => {
    app.all(
      path,
      serving(
        path,
        async (request) => {
          if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed('GET, HEAD');
          return { answered: await createDeadline(answeredWithin).within(answer(request)), caller: null };
        },
        'debug',
      ),
    );
  };

  let document: string | null = null;
  get('/openapi.json', async () => ({
    status: 200,
    headers: { 'Cache-Control': 'no-cache' },
    body: (document ??= openApiText(routes)),
  }));
  get('/health/live', async () => ({ status: 200, headers: {}, body: '{"status":"live"}' }));
  get('/health/ready', async () => {
    const { status, body } = await readiness(health);
    return { status, headers: {}, body: JSON.stringify(body) };
  });
  get('/metrics', async (request) => {
    if (!mayReadMetrics(request, metricsAccess)) await identify(request.headers.authorization, request.ip);
    return { status: 200, headers: { 'Content-Type': registry.contentType }, body: await registry.metrics() };
  });
  const parts = { ...dependencies, sealClient: createSealClient(dependencies.keys) };
  for (const [path, ofPath] of byPath(routes)) app.all(pattern(path), serving(path, createEndpoint(ofPath, parts)));

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
    const undecodable = new HttpError(400, 'The path is not validly encoded.');
    serving('unknown', async () => {
      throw error instanceof URIError ? undecodable : error;
    })(request, response);
  });
  return app;
};

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
