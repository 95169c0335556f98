import type { TSchema } from '@sinclair/typebox';
import { EXAMPLE_IDS } from './examples/ids.ts';
import { exampleRequest } from './examples/operation.ts';
import { operationId, parameterNames, propertiesOf } from './names.ts';
import { responses, sharedResponses } from './responses.ts';
import { contentOf } from './media-content.ts';
import { createPublisher, type OpenApiObject, type PublishSchema } from './publish-schema.ts';
import { SECURITY, securityOf, securitySchemes } from './security.ts';
import { bodyTypes, isWrite } from '../../http/routes/route.ts';
import { PERMISSIONS } from '../permissions.ts';
import type { Method, Route } from '../route.ts';

/** Creates the OpenAPI 3.1 document of the routes, for `/openapi.json` and `docs/reference/openapi.json`. */
export const openApiText = (routes: readonly Route[]): string => `${JSON.stringify(openApi(routes), null, 2)}\n`;

export const openApi = (routes: readonly Route[]): OpenApiObject => {
  const { publish, schemas } = createPublisher();
  const paths: Record<string, Record<string, OpenApiObject>> = {};
  for (const route of routes) {
    for (const method of route.methods) {
      const path = (paths[route.path] ??= {});
      path[method] = operation(route, method, publish, routes);
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
    security: SECURITY,
    paths,
    components: {
      responses: sharedResponses(publish),
      schemas: schemas(),
      securitySchemes: securitySchemes(routes),
    },
  };
};

const operation = (route: Route, method: Method, publish: PublishSchema, routes: readonly Route[]): OpenApiObject => ({
  operationId: operationId(method, route.path),
  summary: route.summary,
  tags: [route.tag],
  ...securityOf(route),
  ...describing(route),
  parameters: parameters(route, method, publish),
  ...(route.body && {
    requestBody: {
      required: hasRequired(route.body),
      content: contentOf(bodyTypes(route), publish(route.body), exampleRequest(route, method)),
    },
  }),
  responses: responses(route, method, publish, routes),
});

/**
 * Adds a paragraph with the required roles to the description. `x-roles` has the same roles in machine-readable form.
 */
const describing = ({ description, access }: Route): OpenApiObject => {
  const roles: readonly string[] | null = 'public' in access ? null : PERMISSIONS[access.needs];
  const paragraphs = [description, roles && `Roles: ${roles.join(', ')}.`].filter((text) => typeof text === 'string');
  return {
    ...(paragraphs.length > 0 && { description: paragraphs.join('\n\n') }),
    ...(roles && { 'x-roles': roles }),
  };
};

const hasRequired = (schema: TSchema): boolean =>
  schema['type'] !== 'object' || (Array.isArray(schema['required']) && schema['required'].length > 0);

const parameters = (route: Route, method: Method, publish: PublishSchema): OpenApiObject[] => {
  const declared = new Map(propertiesOf(route.params));
  const inPath = parameterNames(route.path).map((name) => ({
    name,
    in: 'path',
    required: true,
    ...(name in EXAMPLE_IDS && { example: EXAMPLE_IDS[name] }),
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
  return [...inPath, ...inQuery, ...ifMatch(route, method), ...idempotencyKey(route, method)];
};

const ifMatch = (route: Route, method: Method): OpenApiObject[] =>
  route.revised && isWrite(route, method) ? [IF_MATCH] : [];

const IF_MATCH: OpenApiObject = {
  name: 'If-Match',
  in: 'header',
  description:
    'The `ETag` of the resource as you read it, or its `revision` in quotes. If somebody has changed the resource ' +
    'since, the response is 412 and nothing changes. A comma-separated list or `*` is accepted too.',
  schema: { type: 'string', examples: ['"7"'] },
};

const idempotencyKey = (route: Route, method: Method): OpenApiObject[] => {
  if (route.unrepeatable === true || (method === 'get' && !isWrite(route, method))) return [];
  return [{ ...IDEMPOTENCY_KEY, ...(route.idempotencyKey === 'required' && { required: true }) }];
};

const IDEMPOTENCY_KEY: OpenApiObject = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Repeating the same request with the same key within 24 hours performs it only once and returns the same response.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};
