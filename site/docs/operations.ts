import { EVENT_STREAM } from '../../http/media/media-types.ts';
import type { DocsAccess, DocsResponse, DocsOperation, DocsValue } from '../../views/docs/model.ts';
import { titleOf } from './anchors.ts';
import { fieldsOf, valueOf } from './fields.ts';
import type { Content, OpenApi, OpenApiOperation, Parameter, Schema } from './openapi.ts';
import { indented } from './samples/call.ts';
import { samplesOf, type Call } from './samples/index.ts';
import { nameOfReference } from './openapi.ts';

/** An operation, with all HTTP methods of its path that have the same effect. */
export interface DeclaredOperation {
  methods: readonly string[];
  path: string;
  operation: OpenApiOperation;
}

/**
 * Returns all operations in the order of the OpenAPI document. Methods of a path that have the same description are
 * merged into one operation.
 */
export const declaredOperations = ({ paths }: OpenApi): DeclaredOperation[] =>
  Object.entries(paths).flatMap(([path, ofPath]) => {
    const found = new Map<string, DeclaredOperation & { methods: string[] }>();
    for (const [method, operation] of Object.entries(ofPath)) {
      const known = found.get(operation.summary);
      if (known) known.methods.push(method);
      else found.set(operation.summary, { methods: [method], path, operation });
    }
    return [...found.values()];
  });

/** Converts an operation to the form in which its section shows it. */
export const operationOf = ({ methods, path, operation }: DeclaredOperation, anchor: string): DocsOperation => {
  const { parameters, requestBody, responses } = operation;
  const answers = responsesOf(responses);
  const idempotencyKey = parameters.find(({ name }) => name === 'Idempotency-Key');
  return {
    anchor,
    methods: methods.map((method) => method.toUpperCase()),
    path,
    title: titleOf(anchor),
    summary: textOf(operation, titleOf(anchor)),
    access: accessOf(operation),
    idempotencyKey: idempotencyKey ? (idempotencyKey.required === true ? 'required' : 'optional') : null,
    pathParameters: parametersIn('path', parameters),
    queryParameters: parametersIn('query', parameters),
    body: requestBody
      ? {
          types: Object.keys(requestBody.content),
          required: requestBody.required,
          value: valueOf(firstOf(requestBody.content).schema),
          sameAs: null,
        }
      : null,
    responses: answers,
    errors: Object.entries(responses).flatMap(([status, { $ref }]) =>
      $ref !== undefined && /^[45]/.test(status) ? [Number(status)] : [],
    ),
    samples: samplesFor({ methods, path, operation }),
    exampleResponse: exampleIn(responses),
  };
};

const withoutArticles = (text: string): string => text.toLowerCase().replace(/\b(?:an?|the) /g, '');

/**
 * Returns the summary and the description of an operation. Omits the paragraph about roles, because the section shows
 * the result of {@link accessOf} instead. Omits the summary if it only repeats the title and there is a description.
 */
const textOf = ({ summary, description = '' }: OpenApiOperation, title: string): string => {
  const details = description.split('\n\n').filter((text) => text !== '' && !text.startsWith('Roles: '));
  const isTitle = details.length > 0 && withoutArticles(summary) === withoutArticles(title);
  return [...(isTitle ? [] : [`${summary}.`]), ...details].join(' ');
};

const accessOf = ({ security, 'x-roles': roles = [] }: OpenApiOperation): DocsAccess => {
  if (security === undefined) return { kind: 'roles', roles };
  const schemes = security.flatMap((one) => Object.keys(one));
  if (schemes.includes('SignedLink')) return { kind: 'link' };
  if (security.length > 0 && !security.some((one) => Object.keys(one).length === 0)) return { kind: 'session', roles };
  return { kind: 'anybody', key: schemes.includes('ApiKey') };
};

const parametersIn = (place: Parameter['in'], parameters: readonly Parameter[]) => {
  const found = parameters.filter((parameter) => parameter.in === place);
  return fieldsOf({
    properties: Object.fromEntries(found.map(({ name, schema }) => [name, schema])),
    // Path parameters are always required, so they are not marked as such.
    required: found.filter(({ required }) => required && place !== 'path').map(({ name }) => name),
  });
};

const firstOf = (content: Content): { schema: Schema; example?: unknown } =>
  Object.values(content)[0] ?? { schema: {} };

const responsesOf = (responses: OpenApiOperation['responses']): DocsResponse[] =>
  Object.entries(responses).flatMap(([status, { $ref, description = '', content }]) => {
    if ($ref !== undefined || !status.startsWith('2')) return [];
    const value: DocsValue | null = content ? valueOf(firstOf(content).schema) : null;
    return [{ status: Number(status), reason: description, types: Object.keys(content ?? {}), value }];
  });

const exampleIn = (responses: OpenApiOperation['responses']): DocsOperation['exampleResponse'] => {
  for (const [status, { description = '', content }] of Object.entries(responses)) {
    const example = content?.['application/json']?.example;
    if (example === undefined) continue;
    return { status: Number(status), reason: description, json: indented(example) };
  }
  return null;
};

/**
 * Paths of operations that expect a session token in `Authorization`. The OpenAPI document does not declare the token,
 * because these operations read it themselves.
 */
const BY_TOKEN: readonly string[] = ['/v1/refresh', '/v1/logout'];

/**
 * Returns the example of an operation as code. Operations with a signed link have no example, because the link comes
 * from another response.
 */
const samplesFor = (declared: DeclaredOperation) =>
  accessOf(declared.operation).kind === 'link' ? [] : samplesOf(exampleCall(declared));

/** Returns the request in an operation's example. */
const exampleCall = ({ methods, path, operation }: DeclaredOperation): Call => {
  const { parameters, requestBody, responses } = operation;
  const access = accessOf(operation);
  const method = methods.includes('patch') ? 'patch' : (methods[0] ?? 'get');
  const body = requestBody?.content['application/json']?.example;
  const text = textIn(requestBody);
  const needsToken = access.kind === 'session' || BY_TOKEN.includes(path);
  const values = new Map(
    parameters.flatMap(({ name, example, schema }) => {
      const value = example ?? schema.examples?.[0];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
  return {
    method: method.toUpperCase(),
    path: path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values.get(name) ?? name)),
    credential: needsToken ? 'TOKEN' : access.kind === 'roles' ? 'KEY' : null,
    ...(body !== undefined ? { body } : text && { text }),
    idempotencyKey: parameters.some(({ name, required }) => name === 'Idempotency-Key' && required === true),
    json: exampleIn(responses) !== null,
    stream: responsesOf(responses).some(({ types }) => types.includes(EVENT_STREAM.name)),
  };
};

/** Returns the example of a request body that is not JSON, such as CSV. */
const textIn = (requestBody: OpenApiOperation['requestBody']): NonNullable<Call['text']> | null => {
  const [type, { schema } = { schema: {} as Schema }] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const content = schema.examples?.[0];
  return type?.startsWith('text/') && typeof content === 'string' ? { type, content } : null;
};

/**
 * Returns the names of the shared schemas to which a part of the document refers, directly or through other schemas.
 */
export const objectsIn = (part: unknown, { components: { schemas } }: OpenApi): Set<string> => {
  const found = new Set<string>();
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      for (const one of value) walk(one);
      return;
    }
    for (const [key, one] of Object.entries(value)) {
      if (key === 'example' || key === 'examples') continue;
      if (key !== '$ref' || typeof one !== 'string') walk(one);
      else if (one.includes('/schemas/') && !found.has(nameOfReference(one))) {
        found.add(nameOfReference(one));
        walk(schemas[nameOfReference(one)]);
      }
    }
  };
  walk(part);
  return found;
};
