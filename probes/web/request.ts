import { isHarmless } from '../../domain/check/harmless-headers.ts';
import type { HttpMethod, HttpRequest } from '../../domain/check/types/web.ts';
import { OFFERED } from './content-codings.ts';

/** A request to send, with header names in lower case. */
export interface WebRequest {
  url: URL;
  method: HttpMethod;
  headers: Record<string, string>;
  body: string | null;
}

/** Headers that concern the connection. The runner sets them, not the check. */
const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const DEFAULT_HEADERS = {
  accept: '*/*',
  'accept-encoding': OFFERED.join(', '),
  'user-agent': 'Uptrail',
};

/** Creates the first request of a run. An `Authorization` header takes precedence over a username and password. */
export const firstRequest = (url: string, request: HttpRequest = {}): WebRequest => {
  const headers: Record<string, string> = { ...DEFAULT_HEADERS };
  if (request.username !== undefined || request.password !== undefined) {
    const credentials = Buffer.from(`${request.username ?? ''}:${request.password ?? ''}`);
    headers['authorization'] = `Basic ${credentials.toString('base64')}`;
  }
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    const lower = name.toLowerCase();
    if (!CONNECTION_HEADERS.has(lower)) headers[lower] = value;
  }
  return { url: new URL(url), method: request.method ?? 'GET', headers, body: request.body ?? null };
};

/** Health endpoints of this service, which need no authentication (http/app.ts). */
const HEALTH: ReadonlySet<string> = new Set(['/health/live', '/health/ready']);

/**
 * Returns whether a request is nothing but a health query: a GET or HEAD request for a health endpoint, without headers
 * of the check. A check is allowed to send only such a request to the service that runs it. With headers of its own, a
 * check could impersonate any client of this service (`X-Forwarded-For`), or use an API key.
 */
export const asksForHealth = ({ url, method, headers, body }: WebRequest): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  HEALTH.has(url.pathname) &&
  url.search === '' &&
  body === null &&
  Object.entries(headers).every(([name, value]) => (DEFAULT_HEADERS as Record<string, string>)[name] === value);

const without = (headers: Record<string, string>, unwanted: (name: string) => boolean): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !unwanted(name)));

/**
 * Returns the request that follows a redirect (RFC 9110, 15.4). After 303, and after 301 or 302 as response to a POST,
 * the request is a GET without body; otherwise, method and body stay the same. If the origin changes, only harmless
 * headers are sent. After a redirect from https to http, only `Accept…`, `User-Agent` and `Content-Type` are sent.
 */
export const redirected = (request: WebRequest, status: number, url: URL): WebRequest => {
  const { method } = request;
  const becomesGet = (status === 303 && method !== 'HEAD') || (status <= 302 && method === 'POST');
  const body = becomesGet ? null : request.body;
  let { headers } = request;
  if (body === null) headers = without(headers, (name) => name.startsWith('content-'));
  if (url.origin !== request.url.origin) headers = without(headers, (name) => name === 'host' || !isHarmless(name));
  if (leavesTls(request.url, url))
    headers = without(headers, (name) => !/^(accept.*|user-agent|content-type)$/.test(name));
  return { url, method: becomesGet ? 'GET' : method, headers, body };
};

/** Returns whether a redirect leads from https to http, so that encrypted data would be sent in clear text. */
export const leavesTls = (from: URL, to: URL): boolean => from.protocol === 'https:' && to.protocol === 'http:';
