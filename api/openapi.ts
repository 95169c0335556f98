import type { TSchema } from '@sinclair/typebox';
import { STATUS_CODES } from 'node:http';
import { ErrorBody } from './errors.ts';
import { LateBody } from './perform.ts';
import { publishing, type Json, type Publish } from './publish-schema.ts';
import { writes, type Method, type Route } from './route.ts';

/** The OpenAPI 3.1 document of routes as text: the one `/openapi.json` serves and `docs/openapi.json` holds. */
export const openApiText = (routes: readonly Route[]): string => `${JSON.stringify(openApi(routes), null, 2)}\n`;

export const openApi = (routes: readonly Route[]): Json => {
  const { publish, schemas } = publishing();
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    for (const method of route.methods) {
      const path = (paths[route.path] ??= {});
      path[method] = operation(route, method, { publish, routes });
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Uptrail',
      version: 'v1',
      description: 'Monitoring and public status pages with a complete history.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ ApiKey: [] }],
    paths,
    components: {
      schemas: schemas(),
      securitySchemes: {
        ApiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The API key itself; `Bearer <key>` is taken too.',
        },
      },
    },
  };
};

interface Document {
  publish: Publish;
  routes: readonly Route[];
}

const operation = (route: Route, method: Method, { publish, routes }: Document): Json => ({
  operationId: operationId(method, route.path),
  summary: route.summary,
  tags: [route.tag],
  ...(route.roles === 'public'
    ? { security: [{}, { ApiKey: [] }] }
    : { description: `Roles: ${route.roles.join(', ')}.` }),
  parameters: parameters(route, method, publish),
  ...(route.body && {
    requestBody: {
      required: hasRequired(route.body),
      content: { 'application/json': { schema: publish(route.body) } },
    },
  }),
  responses: responses(route, method, { publish, routes }),
});

/** `get_v1_pages_page_id` */
const operationId = (method: Method, path: string): string =>
  `${method}${path.replace(/[{}]/g, '').replace(/[^a-z0-9]+/gi, '_')}`;

const hasRequired = (schema: TSchema): boolean =>
  schema['type'] !== 'object' || (Array.isArray(schema['required']) && schema['required'].length > 0);

const propertiesOf = (schema: TSchema | undefined): [string, TSchema][] =>
  Object.entries((schema?.['properties'] ?? {}) as Record<string, TSchema>);

const parameters = (route: Route, method: Method, publish: Publish): Json[] => {
  const declared = new Map(propertiesOf(route.params));
  const inPath = parameterNames(route.path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: publish(declared.get(name) ?? ({ type: 'string' } as unknown as TSchema)),
  }));
  const required = new Set((route.query?.['required'] ?? []) as string[]);
  const inQuery = propertiesOf(route.query).map(([name, schema]) => ({
    name,
    in: 'query',
    ...(required.has(name) && { required: true }),
    ...(schema['type'] === 'array' && { style: 'form', explode: false }),
    schema: publish(schema),
  }));
  return [...inPath, ...inQuery, ...(method === 'post' ? [IDEMPOTENCY_KEY] : [])];
};

const IDEMPOTENCY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'The same request again, under the same key, within 24 hours is done once and answered alike.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const LOCATION: Json = { Location: { description: 'Path of the resource', schema: { type: 'string' } } };
const ETAG: Json = { ETag: { schema: { type: 'string' } } };

const responses = (route: Route, method: Method, { publish, routes }: Document): Json => {
  const answers: Record<string, Json> = {};
  for (const [status, schema] of Object.entries(route.answers)) {
    const headers = method === 'get' ? ETAG : status === '201' || status === '202' ? LOCATION : null;
    answers[status] = {
      description: STATUS_CODES[status] ?? '',
      ...(headers && { headers }),
      ...(schema && { content: { 'application/json': { schema: publish(schema) } } }),
      ...(method === 'post' && hasId(schema) && { links: links(route, routes) }),
    };
  }
  if (method === 'get') answers['304'] = { description: 'The client has it: If-None-Match names the current ETag' };
  if (writes(route)) answers['202'] ??= lateAnswer(publish);
  const error = { content: { 'application/json': { schema: publish(ErrorBody) } } };
  for (const status of errorStatuses(route, method)) {
    answers[status] = { description: STATUS_CODES[status] ?? '', ...error };
  }
  answers['default'] = { description: 'An unexpected error', ...error };
  return answers;
};

const hasId = (schema: TSchema | null): boolean => propertiesOf(schema ?? undefined).some(([name]) => name === 'id');

/** From a POST to `/v1/pages`, whose answer has an `id`, to every operation on `/v1/pages/{page_id}` and right below. */
const links = ({ path: collection }: Route, routes: readonly Route[]): Json => {
  const known = parameterNames(collection);
  const reached = routes.flatMap((route) => {
    const [made, ...further] = parameterNames(route.path).slice(known.length);
    if (made === undefined || further.length > 0 || !route.path.startsWith(`${collection}/{${made}}`)) return [];
    const parameters = {
      ...Object.fromEntries(known.map((name) => [name, `$request.path.${name}`])),
      [made]: '$response.body#/id',
    };
    return route.methods.map((method) => ({ operationId: operationId(method, route.path), parameters }));
  });
  return Object.fromEntries(reached.map((link) => [link.operationId, link]));
};

const parameterNames = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

const lateAnswer = (publish: Publish): Json => ({
  description: 'The change is stored; its read model is late and will show it soon',
  headers: LOCATION,
  content: { 'application/json': { schema: publish(LateBody) } },
});

/** Errors that an operation can answer with, by what it takes. */
const errorStatuses = (route: Route, method: Method): number[] => {
  const takesBody = method === 'post' || method === 'put' || method === 'patch';
  return [
    400,
    ...(route.roles === 'public' ? [] : [401, 403]),
    ...(route.path.includes('{') ? [404] : []),
    406,
    ...(writes(route) || method === 'post' ? [409] : []),
    ...(takesBody ? [413, 415, 422] : []),
    429,
    503,
  ];
};
