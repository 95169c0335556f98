import type { SentRequest } from '../../http/routes/sent-request.ts';

/** Name of the cookie that contains a token of `verify-password`. */
export const ACCESS_COOKIE = 'uptrail-access';
/** Name of the cookie that contains a session token (domain/page/session-token.ts). */
export const SESSION_COOKIE = 'uptrail-session';

export interface Cookie {
  name: string;
  value: string;
  /** lifetime in seconds; 0 deletes the cookie */
  maxAge: number;
  /** whether scripts of the page can read the cookie; default: false */
  readable?: boolean;
}

/**
 * Returns the path of a status page's root in the requested URL: `/` if the page has its own host, and otherwise
 * `/status/acme`.
 */
export const rootPathOf = ({ path, onPageHost }: Pick<SentRequest, 'path' | 'onPageHost'>): string =>
  onPageHost ? '/' : path.split('/').slice(0, 3).join('/');

/**
 * Returns a `Set-Cookie` value for a cookie of one status page (RFC 6265, 4.1). Browsers do not send it to other pages
 * of the same host.
 */
export const cookieFor = (
  sent: Pick<SentRequest, 'path' | 'onPageHost' | 'secure'>,
  { name, value, maxAge, readable = false }: Cookie,
): string => {
  const parts = [
    `${name}=${encodeURIComponent(value)}`,
    `Path=${rootPathOf(sent)}`,
    `Max-Age=${maxAge}`,
    'SameSite=Lax',
    ...(readable ? [] : ['HttpOnly']),
    ...(sent.secure ? ['Secure'] : []),
  ];
  return parts.join('; ');
};
