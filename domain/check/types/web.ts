import { Type, type Static } from '@sinclair/typebox';
import { WebAssertions } from './assertions.ts';
import { AS_SENT, commonParameters } from './common.ts';
import { caCertificate } from './tls.ts';

export const HTTP_METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH'] as const;
export type HttpMethod = (typeof HTTP_METHODS)[number];

/** RFC 9110, 5.6.2: token */
const HEADER_NAME = "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$";
/** RFC 9110, 5.5: visible ASCII, blanks and tabs, and the upper half of ISO 8859-1 */
const HEADER_VALUE = '^[\\t\\x20-\\x7e\\x80-\\xff]*$';

const MAX_HEADERS = 50;
const MAX_BODY_CHARACTERS = 65_536;

/** The request that a web or api check sends. */
export const HttpRequest = Type.Object(
  {
    method: Type.Optional(Type.Unsafe<HttpMethod>({ type: 'string', enum: [...HTTP_METHODS], default: 'GET' })),
    headers: Type.Optional(
      Type.Unsafe<Record<string, string>>({
        type: 'object',
        maxProperties: MAX_HEADERS,
        propertyNames: { pattern: HEADER_NAME, maxLength: 100, sentence: 'Is not the name of an HTTP header.' },
        additionalProperties: {
          type: 'string',
          maxLength: 8_192,
          pattern: HEADER_VALUE,
          sentence: 'Must be one line of characters of ISO 8859-1.',
        },
      }),
    ),
    body: Type.Optional(Type.String({ maxLength: MAX_BODY_CHARACTERS })),
    username: Type.Optional(Type.String({ maxLength: 1_000 })),
    password: Type.Optional(Type.String({ maxLength: 1_000 })),
  },
  AS_SENT,
);
export type HttpRequest = Static<typeof HttpRequest>;

/** Parameters of web and api checks (spec.md: parameters by type). */
export const webParameters = {
  ...commonParameters,
  http_request: Type.Optional(HttpRequest),
  /** must stand in the response body; asked for nothing when empty */
  search_text: Type.Optional(Type.String({ maxLength: 1_000 })),
  follow_redirects: Type.Optional(
    Type.Boolean({ description: 'true when absent; else a redirect is the last response', default: true }),
  ),
  assertions: Type.Optional(WebAssertions),
  ca_certificate: caCertificate,
};

export const WebParameters = Type.Object(webParameters, AS_SENT);
export type WebParameters = Static<typeof WebParameters>;
