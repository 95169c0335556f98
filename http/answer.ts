import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorAnswer } from './errors.ts';
import { isAttached, isStreamed, STREAM_BEGUN, type Content } from './media/content.ts';
import { flow } from './media/flow.ts';
import { JSON_TYPE, type MediaType } from './media/types.ts';

/** An answer ready to be sent. */
export interface Answered {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** null where there is none */
  body: Content | null;
  /** media type of the body; default: JSON */
  type?: MediaType;
  /** whether it must be requested each time, since the request does something: then it has no `ETag` */
  once?: boolean;
  /** whether a repeated request is to be performed again, instead of getting this answer */
  incomplete?: boolean;
  /** `ETag` of a body that is not hashed (http/json-parts.ts) */
  tag?: string;
  /** security headers instead of those of its media type */
  security?: readonly string[];
  /** values of `Set-Cookie`, one header each */
  cookies?: readonly string[];
}

/**
 * The answer to an error, in a type that can present errors, else as the JSON error body.
 *
 * @param languages the `Accept-Language` of the request
 */
export const answeredError = (error: unknown, type: MediaType = JSON_TYPE, languages?: string): Answered => {
  const { status, headers, body } = errorAnswer(error);
  if (!type.problem) return { status, headers, body: JSON.stringify(body) };
  return { status, headers, body: type.problem(body, languages), type };
};

/** What every answer has besides its own headers. */
export interface Sending {
  requestId: string;
  /** whether the server is stopping: the connection ends with this answer */
  closing: boolean;
}

/** How an answer went out. */
export interface Sent {
  /** the status that was sent */
  status: number;
  /** settled when a streamed body has ended; rejects where its source failed */
  streamed?: Promise<void>;
}

/**
 * Sends an answer. An answer to GET or HEAD has an `ETag`, or is 304 where the client has it already.
 *
 * @param stopping ends endless streams
 */
export const send = (
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body, type = JSON_TYPE, once = false, tag: known, security = type.security, cookies }: Answered,
  { requestId, closing }: Sending,
  stopping?: AbortSignal,
): Sent => {
  const head = [...security, 'X-Request-Id', requestId];
  // Unless it says otherwise, an answer is only for this client, now.
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
    if (isFresh(request.headers['if-none-match'], known)) {
      response.writeHead(304, head).end();
      return { status: 304 };
    }
  }
  if (isStreamed(body) || isAttached(body)) {
    // nginx would buffer the stream until a page is full.
    if (type.endless) head.push('X-Accel-Buffering', 'no');
    response.writeHead(status, head);
    if (isHead) {
      response.end();
      return { status };
    }
    // The client gets the head at once, before the first event.
    response.flushHeaders();
    if (type.endless) response.emit(STREAM_BEGUN);
    if (isAttached(body)) {
      body.attach(response, stopping);
      return { status };
    }
    return { status, streamed: flow(body, response, type.endless, stopping) };
  }
  if (known === undefined && status === 200 && !once && (isHead || request.method === 'GET')) {
    const tag = weakTag(body);
    head.push('ETag', tag);
    if (isFresh(request.headers['if-none-match'], tag)) {
      response.writeHead(304, head).end();
      return { status: 304 };
    }
  }
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  head.push('Content-Length', length.toString());
  response.writeHead(status, head).end(isHead ? undefined : body);
  return { status };
};

/** The weak `ETag` of a body, whatever its encoding (RFC 9110, 8.8.1). */
export const weakTag = (body: string | Uint8Array): string => `W/"${hash('sha1', body, 'base64').slice(0, 27)}"`;

/** Weak comparison of a list of tags (RFC 9110, 13.1.2). */
export const isFresh = (given: string | undefined, tag: string): boolean =>
  given !== undefined &&
  (given === tag ||
    given.split(',').some((one) => {
      const trimmed = one.trim();
      return trimmed === '*' || opaque(trimmed) === opaque(tag);
    }));

/** A tag without the mark of a weak one. */
const opaque = (tag: string): string => tag.replace(/^W\//, '');
