import * as assert from 'uvu/assert';
import { request, type Reply } from '../../http.ts';
import type { Service } from '../../service.ts';

/** A parsed `Set-Cookie` header. */
export interface ReceivedCookie {
  name: string;
  value: string;
  attributes: string[];
}

/** Returns the cookie that a response sets. Fails if the response sets several cookies. */
export const cookieFrom = ({ headers }: Reply): ReceivedCookie => {
  const [line, ...more] = headers['set-cookie'] ?? [];
  assert.is(more.length, 0);
  const [pair = '', ...attributes] = (line ?? '').split('; ');
  const at = pair.indexOf('=');
  return { name: pair.slice(0, at), value: pair.slice(at + 1), attributes };
};

/** Returns the headers that a browser sends for a page with this origin. */
export const pageHeaders = (origin: string): Record<string, string> => ({
  host: new URL(origin).host,
  origin,
  ...(/^https:|localhost|127\.0\.0\.1/.test(origin) && { 'sec-fetch-site': 'same-origin' }),
});

/** Creates a browser that stores the cookie of a service. All tabs of the browser share the cookie. */
export const createBrowser = (service: Pick<Service, 'port'>, origin = `http://127.0.0.1:${service.port}`) => {
  let cookie: { name: string; value: string } | null = null;
  const send = async (
    method: string,
    path: string,
    { body, key, headers = {} }: { body?: object; key?: string; headers?: Record<string, string> } = {},
  ): Promise<Reply> => {
    const reply = await request(service.port, {
      method,
      path,
      headers: {
        ...pageHeaders(origin),
        ...(cookie && { cookie: `other=1; ${cookie.name}=${cookie.value}` }),
        ...(key !== undefined && { authorization: key }),
        ...headers,
      },
      ...(body && { body }),
    });
    if (reply.headers['set-cookie']) {
      const { name, value } = cookieFrom(reply);
      cookie = value === '' ? null : { name, value };
    }
    return reply;
  };
  return {
    post: (path: string, body?: object, key?: string) =>
      send('POST', path, { ...(body && { body }), ...(key !== undefined && { key }) }),
    send,
    cookie: () => cookie,
    /** replaces the cookie, for example by one copied from another browser */
    put: (other: { name: string; value: string } | null) => {
      cookie = other;
    },
  };
};
