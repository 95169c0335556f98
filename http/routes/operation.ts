import type { TSchema } from '@sinclair/typebox';
import type { Request } from 'express';
import { Invalid, NotFound } from '../../domain/errors.ts';
import type { Instant } from '../../domain/time.ts';
import type { ReadBody } from '../body.ts';
import type { BodyType } from '../media/body-types.ts';
import type { ParsedBody } from '../media/json-body.ts';
import type { MediaType } from '../media/media-types.ts';
import type { FieldMessages } from '../validation-messages.ts';
import { bodyTypes, responseTypes, isWrite, type Method, type AnyRoute } from './route.ts';
import { compile, compileBody, compileQuery, type QueryReader, type Validate } from './validate.ts';

/**
 * A method of a route with its validators. Validators are compiled on first use, because compiling all of them would
 * take longer than the rest of the start.
 */
export interface Operation {
  route: AnyRoute;
  writes: boolean;
  accepts: readonly BodyType[];
  produces: readonly [MediaType, ...MediaType[]];
  /** return the validators of `params`, `query` and `body`; null if the route declares no schema for them */
  params: () => Validate | null;
  query: () => QueryReader | null;
  body: () => Validate | null;
}

/** Returns the operations of a route, by method. */
export const operationsOf = (route: AnyRoute): [Method, Operation][] => {
  const shared = {
    route,
    accepts: bodyTypes(route),
    produces: responseTypes(route),
    params: compiledOnce(route.params, compile),
    query: compiledOnce(route.query, compileQuery),
    body: compiledOnce(route.body, compileBody),
  };
  return route.methods.map((method) => [method, { ...shared, writes: isWrite(route, method) }]);
};

const compiledOnce = <T>(schema: TSchema | undefined, make: (schema: TSchema) => T): (() => T | null) => {
  let made: T | null = null;
  return () => (made ??= schema ? make(schema) : null);
};

/** The content of a request. It has passed all checks that need no data from stores. */
export interface RequestInput {
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: ParsedBody;
}

/**
 * Parses the content of a request. Invalid bodies and queries result in 400, an invalid path in 404.
 *
 * @throws HttpError, Invalid, NotFound
 */
export const inputOf = (
  operation: Operation,
  request: Request,
  { bytes, type }: ReadBody,
  now: Instant,
): RequestInput => {
  const { route } = operation;
  const body = type.parse(bytes, route.body);
  const query = queryOf(operation, request);
  route.requireQuery?.(query, now);
  const params = request.params as Record<string, string>;
  if (operation.params()?.(params)) throw new NotFound('Not found.');
  return { params, query, body };
};

const queryOf = (operation: Operation, request: Request): Record<string, unknown> => {
  const query = operation.query();
  const search = searchOf(request);
  if (search !== '') requireNoneRefused(operation.route, search);
  if (!query) return {};
  const { query: values, broken } = query.read(search);
  if (broken) throw new Invalid({ query: broken }, 'The query is invalid.');
  return values;
};

/** @throws Invalid the query contains a parameter that the route refuses */
const requireNoneRefused = ({ refusedQuery = {} }: AnyRoute, search: string): void => {
  const refused = Object.entries(refusedQuery);
  if (refused.length === 0) return;
  const given = new URLSearchParams(search);
  const broken = refused.filter(([name]) => given.has(name)).map(([name, message]) => [name, [message]]);
  if (broken.length > 0)
    throw new Invalid({ query: Object.fromEntries(broken) as FieldMessages }, 'The query is invalid.');
};

/** Returns the text after the question mark; empty if there is none. */
export const searchOf = (request: Request): string => {
  const mark = request.url.indexOf('?');
  return mark === -1 ? '' : request.url.slice(mark + 1);
};

/**
 * Validates a body by its schema and by the rules of its route. Returns error messages by field; null if there are
 * none.
 *
 * @throws Invalid objects in the body have too many fields to be validated
 */
export const bodyErrors = (operation: Operation, body: ParsedBody, found: unknown): FieldMessages | null => {
  const validate = operation.body();
  if (!validate) return null;
  const { value, unstorable, crowded } = body;
  if (crowded) throw new Invalid({ json: crowded });
  const broken = validate(value);
  const more = operation.route.refuse?.(found, value) ?? null;
  return (broken ?? more ?? unstorable) ? { ...unstorable, ...more, ...broken } : null;
};
