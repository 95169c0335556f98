import { SERVICE_URL } from '../urls.ts';
import { Failure, failureOf, unreachable } from './failure.ts';
import type { Operations } from './openapi.d.ts';

/** An operation of the API: `GET /v1/checks`. */
export type Operation = keyof Operations;

/**
 * The input of an operation. Contains only the parts that the operation has, such as `params` and `query`. A part
 * without required fields is optional.
 */
export type RequestOf<O extends Operation> = Operations[O]['request'];

/** The JSON response of an operation; undefined if it has no body. */
export type AnswerOf<O extends Operation> = Operations[O]['answer'];

type QueryValue = string | number | boolean;

interface Parts {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, QueryValue | readonly QueryValue[] | null | undefined>>;
  body?: unknown;
}

export interface RequestOptions {
  /** an API key or an access token */
  credential?: string | null;
  /** further headers, such as `If-Match` and `Idempotency-Key` */
  headers?: Readonly<Record<string, string>>;
  /** aborts the request */
  signal?: AbortSignal;
  /** whether the request should complete even if the page is closed */
  keepalive?: boolean;
  /** receives the headers of a successful response */
  onHeaders?: (headers: Headers) => void;
}

/** Returns the URL of an operation's request. */
const addressOf = (path: string, { params = {}, query = {} }: Parts): URL => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const url = new URL(filled.slice(1), SERVICE_URL);
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    url.searchParams.set(name, Array.isArray(value) ? value.join(',') : String(value));
  }
  return url;
};

/**
 * Sends one request. For requests of the signed-in user, use `call` (console/session/call.ts).
 *
 * @throws Failure the response has a status of 400 or above, or there is no response. A failure with status 202 means
 * that the change is stored, but can't be read yet.
 * @throws DOMException `AbortError`: aborted by the caller
 */
export const request = async <O extends Operation>(
  operation: O,
  parts: RequestOf<O>,
  { credential = null, headers = {}, signal, keepalive = false, onHeaders }: RequestOptions = {},
): Promise<AnswerOf<O>> => {
  const [method = '', path = ''] = operation.split(' ');
  const given: Parts = parts;
  const answer = await fetch(addressOf(path, given), {
    method,
    keepalive,
    credentials: 'same-origin',
    redirect: 'error',
    headers: {
      Accept: 'application/json',
      ...(given.body !== undefined && { 'Content-Type': 'application/json' }),
      ...(credential !== null && { Authorization: `Bearer ${credential}` }),
      ...headers,
    },
    ...(given.body !== undefined && { body: JSON.stringify(given.body) }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw unreachable();
  });
  if (!answer.ok) throw await failureOf(answer);
  onHeaders?.(answer.headers);
  if (answer.status === 204) return undefined;
  const body = (await answer.json()) as object;
  if (answer.status === 202 && isLate(body)) {
    throw new Failure(202, body.message, { requestId: answer.headers.get('x-request-id') });
  }
  return body as AnswerOf<O>;
};

/**
 * Returns whether a response reports that the change is stored, but can't be read yet
 * (docs/reference/requests.md#late-read-models).
 */
const isLate = (body: object): body is { message: string } =>
  'message' in body && 'id' in body && Object.keys(body).length === 2;
