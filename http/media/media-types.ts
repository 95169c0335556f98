import { unescapedText } from '../../domain/sealed.ts';
import type { ErrorBody } from '../errors.ts';
import { securityHeaders, type Directives } from '../security-headers.ts';
import { isAttached, type Content, type FileContent } from './content.ts';
import { errorPage } from './error-page.ts';

/** A media type of responses: its name, encoding and headers. */
export interface MediaType {
  /** name in lower case, without parameters, such as `text/html` */
  readonly name: string;
  /** value of `Content-Type` */
  readonly contentType: string;
  /** security headers as alternating names and values, in the form that `writeHead` accepts */
  readonly security: readonly string[];
  /** Encodes the body that a handler has returned. */
  readonly encode: (value: unknown) => Content | FileContent;
  /**
   * Renders an error in this type; null: the JSON error body is sent. `languages` is the `Accept-Language` of the
   * request, which determines the language of the error page. Exception: on a known status page, the page determines
   * the language.
   */
  readonly renderError: ((error: ErrorBody, languages: string | undefined) => string) | null;
  /**
   * present for endless responses, which end when the client disconnects or the service stops; null for other responses
   */
  readonly keepAlive: KeepAlive | null;
}

/** A message that is sent repeatedly, because proxies close silent connections. */
export interface KeepAlive {
  message: string;
  /** interval in milliseconds */
  intervalMs: number;
}

export interface MediaOptions {
  /** parameter of the `Content-Type`, such as `charset=utf-8` */
  parameter?: string;
  /** Content-Security-Policy; default: the response may neither load nor run anything, nor be framed */
  policy?: Directives;
  /** whether pages of other origins may embed the response, such as an image */
  embeddable?: boolean;
  encode?: MediaType['encode'];
  problem?: MediaType['renderError'];
  endless?: KeepAlive;
}

/** Declares a media type. Responses of all types have the header `X-Content-Type-Options: nosniff`. */
export const mediaType = (name: string, options: MediaOptions = {}): MediaType => {
  const { parameter, policy = NOTHING, embeddable = false, encode = asItIs, problem = null, endless = null } = options;
  return {
    name,
    contentType: parameter === undefined ? name : `${name}; ${parameter}`,
    security: securityHeaders(policy, embeddable),
    encode,
    renderError: problem,
    keepAlive: endless,
  };
};

/** Policy for data: the response may neither load nor run anything, nor be framed. */
const NOTHING: Directives = { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] };
const UTF8 = 'charset=utf-8';

/**
 * Returns content that needs no encoding.
 *
 * @throws Error the handler returned neither text nor bytes nor a stream
 */
const asItIs = (value: unknown): Content => {
  if (typeof value === 'string' || typeof value === 'function' || value instanceof Uint8Array) return value as Content;
  if (isAttached(value)) return value;
  throw new Error(`A ${typeof value} cannot be sent as it is.`);
};

export const JSON_TYPE = mediaType('application/json', { parameter: UTF8, encode: unescapedText });
/** JSON that the handler has already encoded, such as a stream that is too long for memory. */
export const JSON_STREAM = mediaType('application/json', { parameter: UTF8 });
export const TEXT = mediaType('text/plain', { parameter: UTF8 });
export const CSV = mediaType('text/csv', { parameter: UTF8 });
/** Lines that contain one JSON text each. */
export const JSON_LINES = mediaType('application/x-ndjson', { parameter: UTF8 });
// The policy allows a plug-in, because browsers show PDF files with a built-in one.
export const PDF = mediaType('application/pdf', { policy: { ...NOTHING, 'object-src': ["'self'"] } });
export const PNG = mediaType('image/png');
/** Server-sent events (http/media/event-stream.ts). The keep-alive is a comment line: it starts with a colon. */
export const EVENT_STREAM = mediaType('text/event-stream', { endless: { message: ':\n\n', intervalMs: 15_000 } });

/**
 * Policy of the service's own pages. They may load resources only from their own origin, and submit forms only to their
 * own origin.
 */
export const OWN_PAGE: Directives = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'manifest-src': ["'self'"],
  'form-action': ["'self'"],
  'base-uri': ["'none'"],
  'frame-ancestors': ["'none'"],
};

/**
 * Creates a media type for HTML pages.
 *
 * @param problem renders the error page; it must escape the message
 */
export const html = ({ policy = OWN_PAGE, problem = errorPage }: Pick<MediaOptions, 'policy' | 'problem'> = {}) =>
  mediaType('text/html', { parameter: UTF8, policy, problem });

export const HTML = html();
