import type { SentRequest } from '../../http/routes/sent-request.ts';

/** Holds a token of `verify-password`. */
export const ACCESS_COOKIE = 'uptrail-access';
/** Holds a token of domain/page/session-token.ts. */
export const SESSION_COOKIE = 'uptrail-session';

export interface Cookie {
  name: string;
  value: string;
  /** seconds; 0 removes it */
  maxAge: number;
  /** whether scripts of the page may read it; default: no */
  readable?: boolean;
}

/** The path of a status page's root, as it was requested: `/` on its own host, else `/status/acme`. */
export const rootPathOf = ({ path, onPageHost }: Pick<SentRequest, 'path' | 'onPageHost'>): string =>
  onPageHost ? '/' : path.split('/').slice(0, 3).join('/');

/** The value of a `Set-Cookie` that is sent to one status page only (RFC 6265, 4.1): no other page of a host gets it. */
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
