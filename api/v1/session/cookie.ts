import { HttpError } from '../../../http/errors.ts';
import { isSameOrigin } from '../../../http/routes/same-origin.ts';
import type { Call } from '../../route.ts';

type Request = Pick<Call<unknown, unknown, unknown>, 'addressOf' | 'clientAddress' | 'mac' | 'sent'>;

/** The cookie of a browser session: its value, and functions that return values of `Set-Cookie`. */
export interface SessionCookie {
  /** The refresh token. Null if the request has no cookie. */
  token: string | null;
  /** Returns a value that sets the cookie. @param seconds lifetime of the cookie in the browser */
  set: (refreshToken: string, seconds: number) => string;
  clear: () => string;
}

/**
 * Reads the session cookie of a request (docs/reference/sign-in.md#sign-in-of-browsers). The cookie has no `Path`, so
 * the browser limits it to the directory of the requested URL (RFC 6265, 5.1.4), which is `/v1/session` behind any
 * prefix that a proxy adds. So only routes below `/v1/session` are allowed to set it. The name of the cookie is
 * different for each service, because browsers send a cookie to every port of a host.
 *
 * @throws HttpError 403 if a page of another origin sent the request
 */
export const sessionCookieOf = async ({ addressOf, clientAddress, mac, sent }: Request): Promise<SessionCookie> => {
  if (!isSameOrigin(sent, addressOf(''))) {
    throw new HttpError(403, 'The request was sent by a page of another origin.');
  }
  const https = isHttps(sent);
  const secure = https || (isOnLoopback(sent, clientAddress) && !isSafari(sent));
  const service = (await mac('session cookie', '')).replace(/[^a-z\d]/gi, '').slice(0, 8);
  // The prefix is not `__Host-`, because that prefix requires the path `/`. Over http on loopback, the name has no
  // prefix, because some browsers refuse cookies with a prefix over http.
  const name = `${https ? '__Secure-' : ''}uptrail-refresh-${service}`;
  const attributes = `HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
  return {
    token: sent.cookie(name),
    set: (token, seconds) => `${name}=${token}; Max-Age=${seconds}; ${attributes}`,
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
  };
};

type Sent = Request['sent'];

/**
 * Returns the origin of the page that sent a request. Browsers send the header `Origin` with each POST, and proxies do
 * not change it.
 */
const originOf = (sent: Sent): URL | null => {
  const origin = sent.header('origin') ?? '';
  return URL.canParse(origin) ? new URL(origin) : null;
};

const isHttps = (sent: Sent): boolean => {
  const origin = originOf(sent);
  return origin ? origin.protocol === 'https:' : sent.secure;
};

/** Matches `localhost` and its subdomains (RFC 6761, 6.3). */
const LOOPBACK_NAME = /^(?:.*\.)?localhost$/i;
const LOOPBACK_ADDRESS = /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1)$/;

const isOnLoopback = (sent: Sent, clientAddress: string | null): boolean => {
  const origin = originOf(sent);
  if (!origin) return clientAddress !== null && LOOPBACK_ADDRESS.test(clientAddress);
  const host = origin.hostname.replace(/^\[|\]$/g, '');
  return LOOPBACK_NAME.test(host) || LOOPBACK_ADDRESS.test(host);
};

/** Tests whether the browser is Safari, which ignores `Secure` cookies received over http, even from loopback. */
const isSafari = (sent: Sent): boolean => /\bVersion\/[\d.]+ .*\bSafari\//.test(sent.header('user-agent') ?? '');
