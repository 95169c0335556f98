import type { SentRequest } from '../../http/routes/sent-request.ts';

/** Contains a token of `verify-password`. */
export const ACCESS_COOKIE = 'uptrail-access';
/** Contains a token of domain/page/session-token.ts. */
export const SESSION_COOKIE = 'uptrail-session';

export interface Cookie {
  name: string;
  value: string;
  /** seconds; 0 deletes it */
  maxAge: number;
  /** whether the page's scripts may read it; default: no */
  readable?: boolean;
}

/** Returns the path of a status page's root as requested: `/` on its own host, else `/status/acme`. */
export const rootPathOf = ({ path, onPageHost }: Pick<SentRequest, 'path' | 'onPageHost'>): string =>
  onPageHost ? '/' : path.split('/').slice(0, 3).join('/');

/**
 * Returns a `Set-Cookie` value scoped to one status page (RFC 6265, 4.1): no other page of the same host receives it.
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
