import type { TSchema } from '@sinclair/typebox';
import { ErrorBody } from '../../http/errors.ts';
import { exampleResponse } from './examples/operation.ts';
import { operationId, parameterNames, propertiesOf } from './names.ts';
import { LateBody } from '../../http/routes/perform.ts';
import type { OpenApiObject, PublishSchema } from './publish-schema.ts';
import { JSON_TYPE, type MediaType } from '../../http/media/media-types.ts';
import { reasonOf } from '../../http/reasons.ts';
import { responseTypes, isWrite } from '../../http/routes/route.ts';
import { contentOf } from './media-content.ts';
import type { Method, Route } from '../route.ts';

const LOCATION: OpenApiObject = { Location: { description: 'Path of the resource.', schema: { type: 'string' } } };
const ETAG: OpenApiObject = { ETag: { schema: { type: 'string' } } };
const REVISED_ETAG: OpenApiObject = {
  ETag: {
    description: 'A strong tag of the `revision` and a digest of the body. `If-Match` compares only the revision.',
    schema: { type: 'string', examples: ['"7-2jmj7l5rSw0yVb/vlWAYkK/YBwk"'] },
  },
};

/** Creates the responses that operations share, by component name. */
export const sharedResponses = (publish: PublishSchema): OpenApiObject => {
  const error = { content: { 'application/json': { schema: publish(ErrorBody) } } };
  const errors = ERROR_STATUSES.map((status) => [nameOf(status), { description: reasonOf(status), ...error }]);
  return {
    Late: {
      description: 'The change is stored, but its read model is late and will show it soon.',
      headers: LOCATION,
      content: { 'application/json': { schema: publish(LateBody) } },
    },
    NotModified: { description: 'The client has the current version: `If-None-Match` contains its ETag.' },
    ...(Object.fromEntries(errors) as OpenApiObject),
    Unexpected: { description: 'An unexpected error.', ...error },
  };
};

const ERROR_STATUSES = [400, 401, 403, 404, 406, 409, 412, 413, 415, 416, 422, 429, 503];

/** Returns the component name of an error response: 404 → `NotFound`. */
const nameOf = (status: number): string => reasonOf(status).replaceAll(' ', '');

const shared = (name: string): OpenApiObject => ({ $ref: `#/components/responses/${name}` });

/** Creates all responses of an operation, by status. */
export const responses = (
  route: Route,
  method: Method,
  publish: PublishSchema,
  routes: readonly Route[],
): OpenApiObject => {
  const answers: Record<string, OpenApiObject> = {};
  for (const [status, schema] of Object.entries(route.responses)) {
    const headers = isRead(route, method)
      ? route.revised
        ? REVISED_ETAG
        : ETAG
      : status === '201' || status === '202'
        ? LOCATION
        : null;
    answers[status] = {
      description: reasonOf(Number(status)),
      ...(headers && { headers }),
      ...(schema && {
        content: answerContent(responseTypes(route), publish(schema), exampleResponse(route, method, schema)),
      }),
      ...(method === 'post' && hasId(schema) && { links: links(route, routes) }),
    };
  }
  if (isRead(route, method)) answers['304'] = shared('NotModified');
  if (isWrite(route, method)) answers['202'] ??= shared('Late');
  for (const status of errorStatuses(route, method)) answers[status] = shared(nameOf(status));
  return { ...answers, default: shared('Unexpected') };
};

/** Creates the content of a response. Only JSON has a schema; any other media type is described as a string. */
const answerContent = (types: readonly MediaType[], schema: OpenApiObject, example: unknown): OpenApiObject => {
  if (types[0]?.name !== JSON_TYPE.name) return contentOf(types, schema);
  return { ...contentOf(types.slice(0, 1), schema, example), ...contentOf(types.slice(1), { type: 'string' }) };
};

/** Lists the error statuses of an operation. */
const errorStatuses = (route: Route, method: Method): number[] => {
  const { anyHeaders = false } = route;
  return [
    400,
    ...(route.errorStatuses ?? []),
    ...refusals(route),
    ...(route.path.includes('{') ? [404] : []),
    ...(anyHeaders || responseTypes(route).some(({ name }) => name === '*/*') ? [] : [406]),
    ...(isWrite(route, method) || method === 'post' ? [409] : []),
    ...(route.revised && isWrite(route, method) ? [412] : []),
    ...(method === 'get' ? [] : anyHeaders ? [413, 422] : [413, 415, 422]),
    // For a requested range that is outside the content.
    ...(206 in route.responses ? [416] : []),
    429,
    503,
  ];
};

/** Tests whether clients can cache the response: the request changes nothing, and the response is not a stream. */
const isRead = (route: Route, method: Method): boolean =>
  method === 'get' && !isWrite(route, method) && responseTypes(route).some(({ keepAlive }) => !keepAlive);

/** Lists the statuses of responses to callers without access. */
const refusals = ({ access }: Route): number[] => {
  if ('needs' in access) return [401, 403];
  if ('link' in access.public) return [403];
  // The key is optional, but a key that is sent must be valid and allowed from the client's address.
  return 'key' in access.public ? [401, 403] : [];
};

const hasId = (schema: TSchema | null): boolean => propertiesOf(schema).some(([name]) => name === 'id');

/**
 * Creates OpenAPI links from an operation that creates a resource to the operations on that resource. For example,
 * POST `/v1/pages` links to the operations on `/v1/pages/{page_id}` and on the paths one level below.
 */
const links = ({ path: collection }: Route, routes: readonly Route[]): OpenApiObject => {
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
