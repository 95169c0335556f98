import { Type, type Static } from '@sinclair/typebox';
import { WebAssertions } from './assertions.ts';
import { isHarmless } from '../harmless-headers.ts';
import { valueAtPath } from '../json-paths.ts';
import { defineCheckType, type SealedTexts } from './check-type.ts';
import { KEEP_INPUT, commonParameters } from './common.ts';
import { orNull, phaseDuration, TlsFacts } from './metadata.ts';
import { caCertificate } from './tls.ts';

export const HTTP_METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH'] as const;
export type HttpMethod = (typeof HTTP_METHODS)[number];

/** A token (RFC 9110, 5.6.2). */
const HEADER_NAME = "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$";
/** Visible ASCII characters, spaces, tabs, and the upper half of ISO 8859-1 (RFC 9110, 5.5). */
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
  KEEP_INPUT,
);
export type HttpRequest = Static<typeof HttpRequest>;

/** Parameters of web and api checks (docs/reference/web-checks.md#parameters). */
const webParameters = {
  ...commonParameters,
  http_request: Type.Optional(HttpRequest),
  /** text that the response body must contain; no requirement if empty */
  search_text: Type.Optional(Type.String({ maxLength: 1_000 })),
  follow_redirects: Type.Optional(
    Type.Boolean({ description: 'if false, a redirect is the last response', default: true }),
  ),
  assertions: Type.Optional(WebAssertions),
  ca_certificate: caCertificate,
};

export const WebParameters = Type.Object(webParameters, KEEP_INPUT);
export type WebParameters = Static<typeof WebParameters>;

/** `check_metadata` of web and api results. */
export const WebMetadata = Type.Object({
  /** whether the TCP connection to the final server (after redirects) was established; TLS might have failed */
  connected: Type.Boolean(),
  host: Type.String(),
  port: Type.Integer(),
  /** IP address of the final server; null without a connection */
  address: orNull(Type.String()),
  /** the URL of the final request, truncated; its query is replaced by `?…` */
  final_url: Type.String(),
  /** null without a response */
  status_code: orNull(Type.Integer()),
  /** version of HTTP, such as `1.1`; absent without a response */
  http_version: Type.Optional(Type.String()),
  /**
   * Size of the final response body as transferred, in bytes. Null if reading ended early and the response had no
   * Content-Length.
   */
  body_size: Type.Optional(orNull(Type.Integer())),
  /** the TLS connection of the final request; absent without TLS */
  tls: Type.Optional(TlsFacts),
  /**
   * Headers of the final response, with names in lower case. Secrets are masked. Long lists and long values are
   * truncated.
   */
  headers: Type.Record(Type.String(), Type.String()),
  /** number of followed redirects; absent if there were none */
  redirects: Type.Optional(Type.Integer()),
  /** the followed redirects, each with its status and target */
  redirect_chain: Type.Optional(Type.Array(Type.Object({ status_code: Type.Integer(), url: Type.String() }))),
  /**
   * The start of the response body of a failed check. Secrets of the check are masked in it. Viewers see a mask instead
   * of the excerpt.
   */
  body_excerpt: Type.Optional(Type.String()),
  /**
   * Errors in the responses that the check tolerates, as browsers do (docs/reference/web-checks.md#decompression).
   * Absent if there are none.
   */
  notes: Type.Optional(Type.Array(Type.String())),
  /** durations of the phases, each summed over all requests of the run */
  timings: Type.Object({
    lookup: phaseDuration,
    connect: phaseDuration,
    tls: phaseDuration,
    first_byte: phaseDuration,
    transfer: phaseDuration,
  }),
});
export type WebMetadata = Static<typeof WebMetadata>;

/** The texts in `http_request` that are sealed: credentials, body and header values. */
const REQUEST_TEXTS: readonly SealedTexts[] = [
  { path: ['http_request', 'username'], secret: false },
  { path: ['http_request', 'password'], secret: true },
  { path: ['http_request', 'body'], secret: true },
  { path: ['http_request', 'headers', '*'], secret: (name) => !isHarmless(name) },
];

/** Responses might contain secrets, which only editors and admins are allowed to see. */
const RESPONSE_TEXTS: readonly SealedTexts[] = [
  { path: ['headers', '*'], secret: (name) => !isHarmless(name) },
  { path: ['body_excerpt'], secret: true },
];

/** Reports parameters that search the response body of a HEAD request, which has none. */
const searchesNoBody = (parameters: Readonly<Record<string, unknown>>): Record<string, string[]> => {
  if (valueAtPath(parameters, ['http_request', 'method']) !== 'HEAD') return {};
  const searched = [['search_text'], ['assertions', 'search_text_absent'], ['assertions', 'json']];
  const used = searched.filter((path) => {
    const wanted = valueAtPath(parameters, path) ?? '';
    return wanted !== '' && !(Array.isArray(wanted) && wanted.length === 0);
  });
  const sentence = "Can't be searched: the response to a HEAD request has no body.";
  return Object.fromEntries(used.map((path) => [`parameters.${path.join('.')}`, [sentence]]));
};

export const web = defineCheckType({
  name: 'web',
  target: { url: 'required' },
  parameters: WebParameters,
  contradictions: searchesNoBody,
  sealed: REQUEST_TEXTS,
  metadata: WebMetadata,
  secretMetadata: RESPONSE_TEXTS,
  credits: 1,
});
