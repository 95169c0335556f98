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

/** Headers of the connection itself, which the runner sets. */
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

/** The first request of a run. The check's own `Authorization` header takes precedence over username and password. */
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
 * Whether a request can only be a health query: a GET or HEAD without anything that the check chose. A check may send
 * such a request to the service that runs it. Its own headers could let it impersonate any client there
 * (`X-Forwarded-For`), and an API key would let it do anything.
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
 * The request that follows a redirect (RFC 9110, 15.4): after 303, and after 301 and 302 to a POST, a GET without body;
 * otherwise the same request. Another origin receives only harmless headers. From https to http, nothing that the check
 * sets is sent, except headers about accepted content.
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

/** Whether a redirect would send encrypted data in clear text. */
export const leavesTls = (from: URL, to: URL): boolean => from.protocol === 'https:' && to.protocol === 'http:';
