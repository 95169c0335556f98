import type { SentRequest } from '../../http/routes/sent-request.ts';
import { rootPathOf } from './cookies.ts';

/** A placeholder for the host of the request. */
const HOST = 'http://page.invalid';
const LONGEST = 2_000;

/** Returns the requested URL relative to the page's root, without a token: `incidents/1?lang=de`. */
export const requestedAddress = (sent: SentRequest): string => {
  const root = rootPathOf(sent);
  const path = sent.path.slice(root === '/' ? 1 : root.length + 1);
  const query = new URLSearchParams(sent.search);
  if (!query.has('token')) return path + sent.search;
  query.delete('token');
  return query.size === 0 ? path : `${path}?${query.toString()}`;
};

/**
 * Returns the URL to which a form redirects. It is relative to the form's own URL, which is directly below the page's
 * root. If the text leads to another host or another status page, the result is the page's root.
 *
 * @param text URL in the form, which is untrusted
 */
export const returnAddress = (text: string | undefined, sent: Pick<SentRequest, 'path' | 'onPageHost'>): string => {
  const root = rootPathOf(sent);
  const base = root === '/' ? '/' : `${root}/`;
  if (text === undefined || text.length > LONGEST || /^[/\\]|[\\\p{Cc}]/u.test(text)) return './';
  const url = URL.canParse(text, HOST + base) ? new URL(text, HOST + base) : null;
  if (url?.origin !== HOST || !url.pathname.startsWith(base)) return './';
  return `./${url.pathname.slice(base.length)}${url.search}`;
};
