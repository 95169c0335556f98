import { isHarmless } from '../../domain/check/harmless-headers.ts';
import type { HttpMethod, HttpRequest } from '../../domain/check/types/web.ts';
import { OFFERED } from './codings.ts';

/** One request as it is sent, header names in lower case. */
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

/** What tells whether the service answers, to whoever asks (http/app.ts). */
const HEALTH: ReadonlySet<string> = new Set(['/health/live', '/health/ready']);

/**
 * Whether a request can only be a question for the health of a service: a GET or HEAD with nothing in it that the check
 * chose. A check may send such a one to the service that runs it. With headers of its own it could call itself any client
 * there (`X-Forwarded-For`), and with a key of its own, it could do anything.
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
 * The request that follows a redirect (RFC 9110, 15.4): after 303, and after 301 and 302 to a POST, a
 * GET without body; otherwise the same again. Another origin gets only harmless headers, whatever the others are
 * called. From https to http nothing is sent that the check set, except headers that say which content it accepts.
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

/** Whether what was encrypted would now be sent for all to read. */
export const leavesTls = (from: URL, to: URL): boolean => from.protocol === 'https:' && to.protocol === 'http:';
