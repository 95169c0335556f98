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
  /** the body; null: the response has no body */
  body: Content | null;
  /** media type of the body; default: JSON */
  type?: MediaType;
  /** whether the request had an effect; its response must then not be cached and has no `ETag` */
  once?: boolean;
  /**
   * whether a part of the request failed temporarily; a repeated request is then performed again instead of getting
   * this response
   */
  incomplete?: boolean;
  /** `ETag` to send instead of a hash of the body (http/streamed-json.ts) */
  tag?: string;
  /** security headers that replace those of the media type */
  security?: readonly string[];
  /** values of `Set-Cookie`; each is sent in a header of its own */
  cookies?: readonly string[];
}

/**
 * Creates the response to an error. If `type` can render errors, the response has this type; otherwise it is the JSON
 * error body.
 *
 * @param languages the `Accept-Language` of the request
 */
export const prepareError = (error: unknown, type: MediaType = JSON_TYPE, languages?: string): PreparedResponse => {
  const { status, headers, body } = errorResponse(error);
  if (!type.renderError) return { status, headers, body: JSON.stringify(body) };
  return { status, headers, body: type.renderError(body, languages), type };
};

/** Data for the headers that every response has. */
export interface ResponseContext {
  requestId: string;
  /** whether the server is stopping; the connection is then closed after this response */
  closing: boolean;
}

/** The result of sending a response. */
export interface SendResult {
  /** status of the response that was sent */
  status: number;
  /** resolves when a streamed body has ended; rejects if its source fails */
  streamed?: Promise<void>;
}

/**
 * Sends a response. Successful responses to GET and HEAD get an `ETag`. If the client already has the current version,
 * the response is 304.
 *
 * @param stopping aborts when the service stops, which ends endless streams
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
    // Without this header, nginx buffers the stream until a memory page is full.
    if (type.keepAlive) head.push('X-Accel-Buffering', 'no');
    response.writeHead(status, head);
    if (isHead) {
      response.end();
      return { status };
    }
    // The head is sent immediately, before the first event.
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

/** Computes the weak `ETag` of a body. The tag is the same for all content encodings (RFC 9110, 8.8.1). */
export const weakTag = (body: string | Uint8Array): string => `W/"${hash('sha1', body, 'base64').slice(0, 27)}"`;

/** Returns whether the value of `If-None-Match` contains a tag, by weak comparison (RFC 9110, 13.1.2). */
export const matchesTag = (given: string | undefined, tag: string): boolean =>
  given !== undefined &&
  (given === tag ||
    given.split(',').some((one) => {
      const trimmed = one.trim();
      return trimmed === '*' || opaque(trimmed) === opaque(tag);
    }));

/** Removes the prefix of a weak tag. */
const opaque = (tag: string): string => tag.replace(/^W\//, '');
