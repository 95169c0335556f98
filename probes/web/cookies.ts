import type { IncomingHttpHeaders } from 'node:http';
import { createRequire } from 'node:module';
import type * as ToughCookie from 'tough-cookie';

/** Loads tough-cookie on demand: its list of public suffixes takes 8 MB, and most runs receive no cookie. */
const load = createRequire(import.meta.url);
const newJar = (): ToughCookie.CookieJar => new (load('tough-cookie') as typeof ToughCookie).CookieJar();

/**
 * Maximum length of a cookie, as in browsers (RFC 6265bis, 5.6). The next two limits bound the memory for the cookies
 * of redirects.
 */
const MAX_COOKIE = 4_096;
const MAX_OF_ONE_ANSWER = 50;
const MAX_SENT = 8_192;

const SENDABLE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The cookies that servers set during one run, with the hosts to which each applies (RFC 6265). */
export interface Cookies {
  /** Stores the cookies of a response, except those that a browser would refuse. */
  take: (url: URL, headers: IncomingHttpHeaders) => void;
  /**
   * Returns the value of `Cookie` for a request: the stored cookies, and the cookies of the check, except for those
   * that a stored cookie replaces.
   *
   * @param own the `Cookie` header of the check
   */
  headerFor: (url: URL, own: string | undefined) => string | undefined;
}

const nameIn = (pair: string): string => pair.slice(0, Math.max(0, pair.indexOf('='))).trim();

export const createCookies = (): Cookies => {
  let jar: ToughCookie.CookieJar | null = null;

  /** Returns stored cookies as `name=value`, up to the maximum length of the header. */
  const keptFor = (url: URL): string[] => {
    let length = 0;
    return (jar?.getCookiesSync(url.href) ?? [])
      .map((cookie) => Buffer.from(cookie.cookieString()).toString('latin1'))
      .filter((pair) => SENDABLE.test(pair) && (length += pair.length + 2) <= MAX_SENT);
  };

  return {
    take: (url, headers) => {
      for (const text of [headers['set-cookie'] ?? []].flat().slice(0, MAX_OF_ONE_ANSWER)) {
        if (text.length > MAX_COOKIE) continue;
        jar ??= newJar();
        jar.setCookieSync(text, url.href, { ignoreError: true });
      }
    },
    headerFor: (url, own) => {
      const kept = keptFor(url);
      if (kept.length === 0) return own;
      const anew = new Set(kept.map(nameIn));
      const before = (own ?? '').split(/;\s*/).filter((pair) => pair !== '' && !anew.has(nameIn(pair)));
      return [...before, ...kept].join('; ');
    },
  };
};
