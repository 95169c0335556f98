import type { TSchema } from '@sinclair/typebox';
import type { Method, Route } from '../../route.ts';
import { EXAMPLE_RESPONSES, EXAMPLE_REQUESTS } from './requests.ts';
import { generateResponse, generateBody } from './generate.ts';

const keyOf = ({ path }: Route, method: Method): string => `${method === 'patch' ? 'put' : method} ${path}`;

/** Returns the example body of an operation, or undefined if the operation takes no JSON body. */
export const exampleRequest = (route: Route, method: Method): unknown => {
  const { body, anyHeaders = false } = route;
  if (!body || anyHeaders) return undefined;
  return EXAMPLE_REQUESTS[keyOf(route, method)] ?? generateBody(body);
};

/** Returns the example response to {@link exampleRequest}. */
export const exampleResponse = (route: Route, method: Method, schema: TSchema): unknown => {
  const known = EXAMPLE_RESPONSES[keyOf(route, method)] ?? {};
  return known instanceof Array
    ? known
    : generateResponse(schema, { ...known, ...fieldsOf(exampleRequest(route, method)) });
};

const fieldsOf = (body: unknown): object => (typeof body === 'object' && !Array.isArray(body) ? { ...body } : {});
