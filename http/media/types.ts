import { unescapedText } from '../../domain/sealed.ts';
import type { ErrorBody } from '../errors.ts';
import { securityHeaders, type Directives } from '../security-headers.ts';
import { isAttached, type Content, type File } from './content.ts';
import { errorPage } from './error-page.ts';

/** A media type of answers: its name, how a body is made, and its headers. */
export interface MediaType {
  /** `text/html`, in lower case, without parameters */
  readonly name: string;
  /** the header */
  readonly contentType: string;
  /** alternating names and values of the security headers, as `writeHead` takes them */
  readonly security: readonly string[];
  /** Makes the body of a handler's answer. */
  readonly encode: (value: unknown) => Content | File;
  /**
   * Presents an error in this type; null: the JSON error body is used. `languages`: the `Accept-Language` of the
   * request, since nobody may know whose page it would have been.
   */
  readonly problem: ((error: ErrorBody, languages: string | undefined) => string) | null;
  /** for endless answers, which end when the client leaves or the service stops; else null */
  readonly endless: Endless | null;
}

/** Sent while there is nothing else to send, since proxies close silent connections. */
export interface Endless {
  sign: string;
  /** milliseconds */
  every: number;
}

export interface MediaOptions {
  /** `charset=utf-8` */
  parameter?: string;
  /** what a browser may load, run or frame for it; default: nothing */
  policy?: Directives;
  /** whether pages of other origins may embed it, as an image */
  embeddable?: boolean;
  encode?: MediaType['encode'];
  problem?: MediaType['problem'];
  endless?: Endless;
}

/** Declares a media type; all are sent with `nosniff`. */
export const mediaType = (name: string, options: MediaOptions = {}): MediaType => {
  const { parameter, policy = NOTHING, embeddable = false, encode = asItIs, problem = null, endless = null } = options;
  return {
    name,
    contentType: parameter === undefined ? name : `${name}; ${parameter}`,
    security: securityHeaders(policy, embeddable),
    encode,
    problem,
    endless,
  };
};

/** Data: nothing in it may be loaded, run or framed. */
const NOTHING: Directives = { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] };
const UTF8 = 'charset=utf-8';

/** @throws Error a handler has answered neither text nor bytes nor a stream */
const asItIs = (value: unknown): Content => {
  if (typeof value === 'string' || typeof value === 'function' || value instanceof Uint8Array) return value as Content;
  if (isAttached(value)) return value;
  throw new Error(`A ${typeof value} cannot be sent as it is.`);
};

export const JSON_TYPE = mediaType('application/json', { parameter: UTF8, encode: unescapedText });
/** JSON that its handler has made, such as one that is too long to be held whole. */
export const JSON_STREAM = mediaType('application/json', { parameter: UTF8 });
export const TEXT = mediaType('text/plain', { parameter: UTF8 });
export const CSV = mediaType('text/csv', { parameter: UTF8 });
/** A JSON text a line. */
export const JSON_LINES = mediaType('application/x-ndjson', { parameter: UTF8 });
// A browser shows a PDF by its own plug-in.
export const PDF = mediaType('application/pdf', { policy: { ...NOTHING, 'object-src': ["'self'"] } });
export const PNG = mediaType('image/png');
/** Of http/media/event-stream.ts; a line that begins with a colon is a comment. */
export const EVENT_STREAM = mediaType('text/event-stream', { endless: { sign: ':\n\n', every: 15_000 } });

/** What our pages may do: load from their own origin, and send their forms back. Nothing of other origins. */
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
 * Pages.
 *
 * @param problem makes the error page; its message is text, to be escaped
 */
export const html = ({ policy = OWN_PAGE, problem = errorPage }: Pick<MediaOptions, 'policy' | 'problem'> = {}) =>
  mediaType('text/html', { parameter: UTF8, policy, problem });

export const HTML = html();
