import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorAnswer } from './errors.ts';
import { securityHeaders } from './security-headers.ts';

/** An answer ready to be sent: `body` is JSON text, null where there is none. */
export interface Answered {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string | null;
}

export const answeredError = (error: unknown): Answered => {
  const { status, headers, body } = errorAnswer(error);
  return { status, headers, body: JSON.stringify(body) };
};

/** What every answer carries besides its own headers. */
export interface Sending {
  requestId: string;
  /** the server is stopping: the connection ends with this answer */
  closing: boolean;
}

const SECURITY = securityHeaders();
const JSON_TEXT = 'application/json; charset=utf-8';

/**
 * Sends an answer; one to GET or HEAD with an `ETag`, or as 304 where the client has it already.
 *
 * @returns the status that was sent
 */
export const send = (
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: Answered,
  { requestId, closing }: Sending,
): number => {
  const head = [...SECURITY, 'X-Request-Id', requestId];
  // What does not say otherwise is for the one who asked, now.
  if (headers['Cache-Control'] === undefined) head.push('Cache-Control', 'no-store');
  for (const name in headers) head.push(name, headers[name] ?? '');
  if (closing) head.push('Connection', 'close');
  if (body === null) {
    response.writeHead(status, head).end();
    return status;
  }
  if (status === 200 && (request.method === 'GET' || request.method === 'HEAD')) {
    const tag = weakTag(body);
    head.push('ETag', tag);
    if (isFresh(request.headers['if-none-match'], tag)) {
      response.writeHead(304, head).end();
      return 304;
    }
  }
  if (headers['Content-Type'] === undefined) head.push('Content-Type', JSON_TEXT);
  head.push('Content-Length', Buffer.byteLength(body).toString());
  response.writeHead(status, head).end(request.method === 'HEAD' ? undefined : body);
  return status;
};

const weakTag = (body: string): string => `W/"${hash('sha1', body, 'base64').slice(0, 27)}"`;

/** Weak comparison of a list of tags (RFC 9110, 13.1.2). */
const isFresh = (given: string | undefined, tag: string): boolean =>
  given !== undefined &&
  (given === tag ||
    given.split(',').some((one) => {
      const trimmed = one.trim();
      return trimmed === '*' || trimmed === tag || `W/${trimmed}` === tag;
    }));
