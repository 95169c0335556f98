import { HttpError } from '../../../http/errors.ts';
import { isSameOrigin } from '../../../http/routes/same-origin.ts';
import type { Call } from '../../route.ts';

type Request = Pick<Call<unknown, unknown, unknown>, 'addressOf' | 'clientAddress' | 'mac' | 'sent'>;

/** The cookie of a browser session: its value, and the values of `Set-Cookie` that change it. */
export interface SessionCookie {
  /** the refresh token; null: the request has no cookie */
  token: string | null;
  /** @param seconds lifetime of the cookie in the browser */
  set: (refreshToken: string, seconds: number) => string;
  clear: () => string;
}

/**
 * The session cookie of a request (docs/reference/sign-in.md#sign-in-of-browsers). It has no `Path`, so the browser limits it to the
 * directory of the requested URL (RFC 6265, 5.1.4): `/v1/session`, below any prefix that a proxy adds. So only routes
 * below that path may set it. Its name differs by service, since browsers send a cookie to every port of a host.
 *
 * @throws HttpError 403 a page of another origin sent the request
 */
export const sessionCookieOf = async ({ addressOf, clientAddress, mac, sent }: Request): Promise<SessionCookie> => {
  if (!isSameOrigin(sent, addressOf(''))) {
    throw new HttpError(403, 'The request was sent by a page of another origin.');
  }
  const https = isHttps(sent);
  const secure = https || (isOnLoopback(sent, clientAddress) && !isSafari(sent));
  const service = (await mac('session cookie', '')).replace(/[^a-z\d]/gi, '').slice(0, 8);
  // `__Host-` would need the path `/`. Browsers disagree about prefixes over http on loopback.
  const name = `${https ? '__Secure-' : ''}uptrail-refresh-${service}`;
  const attributes = `HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
  return {
    token: sent.cookie(name),
    set: (token, seconds) => `${name}=${token}; Max-Age=${seconds}; ${attributes}`,
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
  };
};

type Sent = Request['sent'];

/** The origin of the page that sent a request. Browsers send it with each POST, even if a proxy changes `Host`. */
const originOf = (sent: Sent): URL | null => {
  const origin = sent.header('origin') ?? '';
  return URL.canParse(origin) ? new URL(origin) : null;
};

const isHttps = (sent: Sent): boolean => {
  const origin = originOf(sent);
  return origin ? origin.protocol === 'https:' : sent.secure;
};

/** `localhost` and its subdomains (RFC 6761, 6.3). */
const LOOPBACK_NAME = /^(?:.*\.)?localhost$/i;
const LOOPBACK_ADDRESS = /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1)$/;

const isOnLoopback = (sent: Sent, clientAddress: string | null): boolean => {
  const origin = originOf(sent);
  if (!origin) return clientAddress !== null && LOOPBACK_ADDRESS.test(clientAddress);
  const host = origin.hostname.replace(/^\[|\]$/g, '');
  return LOOPBACK_NAME.test(host) || LOOPBACK_ADDRESS.test(host);
};

/** Safari ignores `Secure` cookies received over http, even from loopback. */
const isSafari = (sent: Sent): boolean => /\bVersion\/[\d.]+ .*\bSafari\//.test(sent.header('user-agent') ?? '');
