import type { TSchema } from '@sinclair/typebox';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { ErrorBody } from '../../http/errors.ts';
import { CSV, JSON_LINES, JSON_TYPE } from '../../http/media/media-types.ts';
import { LateBody } from '../../http/routes/perform.ts';
import { responseTypes } from '../../http/routes/route.ts';
import { responses } from '../../api/openapi/responses.ts';
import type { Method, Route } from '../../api/route.ts';
import type { Reply } from './http.ts';

const ajv = addFormats.default(
  new Ajv({ allErrors: true, strict: false, formats: { 'http-url': (url: string) => URL.canParse(url) } }),
);

/**
 * Returns a copy of a schema in which objects with named fields allow no other fields, so that a response must have
 * exactly the declared fields.
 */
const closed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  const open = 'additionalProperties' in copy || 'patternProperties' in copy;
  if ('properties' in copy && [copy['type']].flat().includes('object') && !open) copy['additionalProperties'] = false;
  return copy;
};

const compiled = new Map<object, ValidateFunction>();
const validatorOf = (schema: TSchema): ValidateFunction => {
  const known = compiled.get(schema) ?? ajv.compile(closed(schema) as object);
  compiled.set(schema, known);
  return known;
};

/**
 * Statuses that every path can respond with, because they are decided before the route is known or the request is read.
 */
const OF_ANY_PATH: ReadonlySet<number> = new Set([405, 408, 417, 431, 500]);

/** Returns the statuses that the OpenAPI document declares for an operation. */
const statusesOf = (routes: readonly Route[], route: Route, method: string): ReadonlySet<string> => {
  const named = Object.keys(responses(route, method.toLowerCase() as Method, (schema) => schema, routes));
  return new Set(named);
};

const declaredSegments = new WeakMap<Route, readonly string[]>();
const segmentsOf = (route: Route): readonly string[] => {
  const known = declaredSegments.get(route) ?? route.path.split('/');
  declaredSegments.set(route, known);
  return known;
};

/** Finds the route of a method and path. Fixed path segments take precedence over parameters. */
export const routeOf = (routes: readonly Route[], method: string, path: string): Route | undefined => {
  const segments = path.split('?')[0]?.split('/') ?? [];
  const matches = routes.filter((route) => {
    const declared = segmentsOf(route);
    return (
      declared.length === segments.length &&
      declared.every((part, index) => part.startsWith('{') || part === segments[index]) &&
      route.methods.some((one) => one === (method === 'HEAD' ? 'get' : method.toLowerCase()))
    );
  });
  return matches.sort((one, other) => one.path.split('{').length - other.path.split('{').length)[0];
};

/**
 * Fails if a response differs from the declaration of its route: an undeclared status, a body that violates its schema,
 * or a field that is not in the schema.
 */
export const assertDeclared = (routes: readonly Route[], method: string, path: string, reply: Reply): void => {
  const route = routeOf(routes, method, path);
  if (!route || method === 'HEAD' || reply.status === 304) return;
  const isNamed = OF_ANY_PATH.has(reply.status) || statusesOf(routes, route, method).has(reply.status.toString());
  const broken = isNamed ? whatIsBroken(route, reply) : 'the OpenAPI document does not name this status';
  if (broken === null) return;
  throw new Error(`${method} ${path} answered ${reply.status}, which is not as declared: ${broken}\n${reply.text}`);
};

const whatIsBroken = (route: Route, reply: Reply): string | null => {
  const schema = declaredBody(route, reply.status);
  if (schema === undefined) return 'the route does not declare this status';
  if (schema === null) return reply.text === '' ? null : 'there should be no body';
  // The export file of a list has another format than the list.
  if (isFileOfList(route, reply)) return null;
  if (responseTypes(route).every(({ keepAlive }) => keepAlive)) return null;
  const validate = validatorOf(schema);
  const isText = [CSV, JSON_LINES].some(({ contentType }) => contentType === reply.headers['content-type']);
  return validate(isText ? reply.text : reply.json()) ? null : ajv.errorsText(validate.errors, { dataVar: 'body' });
};

const isFileOfList = (route: Route, { headers }: Reply): boolean => {
  const types = responseTypes(route).map(({ contentType }) => contentType);
  return types[0] === JSON_TYPE.contentType && types.indexOf(headers['content-type'] ?? '') > 0;
};

const declaredBody = (route: Route, status: number): TSchema | null | undefined => {
  if (status >= 400) return ErrorBody;
  const declared = route.responses[status];
  return declared === undefined && status === 202 ? LateBody : declared;
};
