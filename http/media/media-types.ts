import { unescapedText } from '../../domain/sealed.ts';
import type { ErrorBody } from '../errors.ts';
import { securityHeaders, type Directives } from '../security-headers.ts';
import { isAttached, type Content, type FileContent } from './content.ts';
import { errorPage } from './error-page.ts';

/** A media type of responses: its name, encoding and headers. */
export interface MediaType {
  /** `text/html`, in lower case, without parameters */
  readonly name: string;
  /** value of `Content-Type` */
  readonly contentType: string;
  /** alternating names and values of the security headers, as for `writeHead` */
  readonly security: readonly string[];
  /** Encodes the body that a handler returns. */
  readonly encode: (value: unknown) => Content | FileContent;
  /**
   * Presents an error in this type; null: the JSON error body is used. `languages` is the `Accept-Language` of the
   * request, used if the page and so its language are unknown.
   */
  readonly renderError: ((error: ErrorBody, languages: string | undefined) => string) | null;
  /** for endless responses, which end when the client disconnects or the service stops; otherwise null */
  readonly keepAlive: KeepAlive | null;
}

/** A keep-alive, since proxies close silent connections. */
export interface KeepAlive {
  message: string;
  /** milliseconds */
  intervalMs: number;
}

export interface MediaOptions {
  /** `charset=utf-8` */
  parameter?: string;
  /** Content-Security-Policy; default: nothing may be loaded, run or framed */
  policy?: Directives;
  /** whether pages of other origins may embed it, such as an image */
  embeddable?: boolean;
  encode?: MediaType['encode'];
  problem?: MediaType['renderError'];
  endless?: KeepAlive;
}

/** Declares a media type. All are sent with `nosniff`. */
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

/** Policy for data: nothing may be loaded, run or framed. */
const NOTHING: Directives = { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] };
const UTF8 = 'charset=utf-8';

/** @throws Error the handler returned neither text nor bytes nor a stream */
const asItIs = (value: unknown): Content => {
  if (typeof value === 'string' || typeof value === 'function' || value instanceof Uint8Array) return value as Content;
  if (isAttached(value)) return value;
  throw new Error(`A ${typeof value} cannot be sent as it is.`);
};

export const JSON_TYPE = mediaType('application/json', { parameter: UTF8, encode: unescapedText });
/** JSON that the handler has encoded itself, such as a stream too long for memory. */
export const JSON_STREAM = mediaType('application/json', { parameter: UTF8 });
export const TEXT = mediaType('text/plain', { parameter: UTF8 });
export const CSV = mediaType('text/csv', { parameter: UTF8 });
/** One JSON text per line. */
export const JSON_LINES = mediaType('application/x-ndjson', { parameter: UTF8 });
// Browsers show PDF files with a built-in plug-in.
export const PDF = mediaType('application/pdf', { policy: { ...NOTHING, 'object-src': ["'self'"] } });
export const PNG = mediaType('image/png');
/** Server-sent events (http/media/event-stream.ts). The keep-alive is a comment line, which starts with a colon. */
export const EVENT_STREAM = mediaType('text/event-stream', { endless: { message: ':\n\n', intervalMs: 15_000 } });

/** Policy of our pages: they load from and send forms to their own origin only. */
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
 * @param problem renders the error page; must escape the message
 */
export const html = ({ policy = OWN_PAGE, problem = errorPage }: Pick<MediaOptions, 'policy' | 'problem'> = {}) =>
  mediaType('text/html', { parameter: UTF8, policy, problem });

export const HTML = html();
