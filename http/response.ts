import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorResponse } from './errors.ts';
import { isAttached, isStreamed, STREAM_BEGUN, type Content } from './media/content.ts';
import { streamBody } from './media/stream-body.ts';
import { JSON_TYPE, type MediaType } from './media/media-types.ts';

/** A response ready to be sent. */
export interface PreparedResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** null: no body */
  body: Content | null;
  /** media type of the body; default: JSON */
  type?: MediaType;
  /** whether the request had an effect, so that the response must not be cached and has no `ETag` */
  once?: boolean;
  /** whether a repeated request is performed again instead of getting this response */
  incomplete?: boolean;
  /** `ETag` of a body that is not hashed (http/streamed-json.ts) */
  tag?: string;
  /** security headers instead of those of its media type */
  security?: readonly string[];
  /** values of `Set-Cookie`, one header each */
  cookies?: readonly string[];
}

/**
 * The response to an error: in the given type if that can present errors, otherwise as the JSON error body.
 *
 * @param languages the `Accept-Language` of the request
 */
export const prepareError = (error: unknown, type: MediaType = JSON_TYPE, languages?: string): PreparedResponse => {
  const { status, headers, body } = errorResponse(error);
  if (!type.renderError) return { status, headers, body: JSON.stringify(body) };
  return { status, headers, body: type.renderError(body, languages), type };
};

/** Data for the headers of every response. */
export interface ResponseContext {
  requestId: string;
  /** whether the server is stopping: the connection is closed after this response */
  closing: boolean;
}

/** The result of sending a response. */
export interface SendResult {
  /** the status that was sent */
  status: number;
  /** resolves when a streamed body has ended; rejects if its source failed */
  streamed?: Promise<void>;
}

/**
 * Sends a response. Responses to GET and HEAD have an `ETag`, or are 304 if the client has the current version.
 *
 * @param stopping ends endless streams
 */
export const sendResponse = (
  request: IncomingMessage,
  response: ServerResponse,
  {
    status,
    headers,
    body,
    type = JSON_TYPE,
    once = false,
    tag: known,
    security = type.security,
    cookies,
  }: PreparedResponse,
  { requestId, closing }: ResponseContext,
  stopping?: AbortSignal,
): SendResult => {
  const head = [...security, 'X-Request-Id', requestId];
  // By default, responses must not be stored.
  if (headers['Cache-Control'] === undefined) head.push('Cache-Control', 'no-store');
  for (const name in headers) head.push(name, headers[name] ?? '');
  if (cookies) for (const cookie of cookies) head.push('Set-Cookie', cookie);
  if (closing) head.push('Connection', 'close');
  if (body === null) {
    response.writeHead(status, head).end();
    return { status };
  }
  const isHead = request.method === 'HEAD';
  if (headers['Content-Type'] === undefined) head.push('Content-Type', type.contentType);
  if (known !== undefined && status === 200 && !once) {
    head.push('ETag', known);
    if (matchesTag(request.headers['if-none-match'], known)) {
      response.writeHead(304, head).end();
      return { status: 304 };
    }
  }
  if (isStreamed(body) || isAttached(body)) {
    // Otherwise nginx buffers the stream until a memory page is full.
    if (type.keepAlive) head.push('X-Accel-Buffering', 'no');
    response.writeHead(status, head);
    if (isHead) {
      response.end();
      return { status };
    }
    // Send the head immediately, before the first event.
    response.flushHeaders();
    if (type.keepAlive) response.emit(STREAM_BEGUN);
    if (isAttached(body)) {
      body.attach(response, stopping);
      return { status };
    }
    return { status, streamed: streamBody(body, response, type.keepAlive, stopping) };
  }
  if (known === undefined && status === 200 && !once && (isHead || request.method === 'GET')) {
    const tag = weakTag(body);
    head.push('ETag', tag);
    if (matchesTag(request.headers['if-none-match'], tag)) {
      response.writeHead(304, head).end();
      return { status: 304 };
    }
  }
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  head.push('Content-Length', length.toString());
  response.writeHead(status, head).end(isHead ? undefined : body);
  return { status };
};

/** The weak `ETag` of a body, which is the same for all encodings (RFC 9110, 8.8.1). */
export const weakTag = (body: string | Uint8Array): string => `W/"${hash('sha1', body, 'base64').slice(0, 27)}"`;

/** Whether a list of tags contains a tag, by weak comparison (RFC 9110, 13.1.2). */
export const matchesTag = (given: string | undefined, tag: string): boolean =>
  given !== undefined &&
  (given === tag ||
    given.split(',').some((one) => {
      const trimmed = one.trim();
      return trimmed === '*' || opaque(trimmed) === opaque(tag);
    }));

/** A tag without the prefix of weak tags. */
const opaque = (tag: string): string => tag.replace(/^W\//, '');
