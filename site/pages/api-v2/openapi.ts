import { FILES } from './files.ts';
import { SCHEMAS } from './schema.ts';

type Json = Record<string, unknown>;

const described = (description: string, schema?: object): Json => ({
  description,
  ...(schema && { content: { 'application/json': { schema } } }),
});

const ERROR: Json = {
  type: 'object',
  properties: {
    code: { type: 'integer' },
    status: { type: 'string' },
    message: { type: 'string' },
    errors: { type: 'object' },
  },
  required: ['code', 'status', 'message', 'errors'],
};

const error = (description: string): Json => described(description, { $ref: '#/components/schemas/Error' });

const refusals: Json = {
  401: error('The page requires a password or a session'),
  404: error('The page or file does not exist, or is hidden from this address'),
  429: error('Too many requests'),
};

const operationId = (path: string): string => `get_${path.replace(/[{}]/g, '').replace(/[^a-z]+/g, '_')}`;

const reads = (): Json =>
  Object.fromEntries(
    FILES.map(({ path, summary, schema }) => [
      `/${path}`,
      {
        get: {
          operationId: operationId(path),
          summary,
          ...(path.includes('{') && {
            parameters: [{ name: 'incident_id', in: 'path', required: true, schema: { type: 'string' } }],
          }),
          responses: {
            200: described('OK', schema),
            304: described('The client already has the current version (If-None-Match)'),
            ...refusals,
          },
        },
      },
    ]),
  );

const subscribing: Json = {
  post: {
    operationId: 'post_subscribers_json',
    summary: 'Subscribe to a page that everybody may see',
    requestBody: {
      required: true,
      description: 'Form fields are named subscriber[email], lists subscriber[component_ids][].',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/NewSubscriber' } } },
    },
    responses: {
      201: described('Created, or it already exists: the response is the same', {
        type: 'object',
        properties: {
          page: { $ref: '#/components/schemas/Page' },
          subscriber: { $ref: '#/components/schemas/Subscriber' },
          secret: { type: 'string', description: 'of a webhook, shown once (Standard Webhooks)' },
        },
        required: ['page', 'subscriber'],
      }),
      403: error('The page does not accept this kind of subscription'),
      404: refusals['404'],
      409: error('This webhook is already subscribed'),
      422: error('A field is invalid; errors names it'),
      429: refusals['429'],
    },
  },
};

/**
 * Returns the OpenAPI 3.1 document of a page's files, which is also in `docs/reference/status-api.openapi.json`. It is
 * served in the same folder as the files, as `api/v2/openapi.json`. Its URLs are relative to itself.
 */
export const statusApiText = (): string => {
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Status page',
      version: 'v2',
      description:
        'The content of a status page, for programs. The files are those of Statuspage’s public API. Times are UTC, with milliseconds.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '.' }],
    paths: { ...reads(), '/subscribers.json': subscribing },
    components: { schemas: { ...SCHEMAS, Error: ERROR } },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
};
