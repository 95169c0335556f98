import type { SentRequest } from '../../http/routes/sent-request.ts';
import { rootPathOf } from './cookies.ts';

/** Stands for whatever host the request came to. */
const HOST = 'http://page.invalid';
const LONGEST = 2_000;

/** The requested address, relative to the root of the page: `incidents/1?lang=de`; without a token. */
export const requestedAddress = (sent: SentRequest): string => {
  const root = rootPathOf(sent);
  const path = sent.path.slice(root === '/' ? 1 : root.length + 1);
  const query = new URLSearchParams(sent.search);
  if (!query.has('token')) return path + sent.search;
  query.delete('token');
  return query.size === 0 ? path : `${path}?${query.toString()}`;
};

/**
 * Where a form leads back to: an address relative to the form's own, which is directly below the page's root. A text
 * that would lead anywhere but below the root, whether to another host or another page, leads to the root.
 *
 * @param text as a form sends it, so it may be anything
 */
export const returnAddress = (text: string | undefined, sent: Pick<SentRequest, 'path' | 'onPageHost'>): string => {
  const root = rootPathOf(sent);
  const base = root === '/' ? '/' : `${root}/`;
  if (text === undefined || text.length > LONGEST || /^[/\\]|[\\\p{Cc}]/u.test(text)) return './';
  const url = URL.canParse(text, HOST + base) ? new URL(text, HOST + base) : null;
  if (url?.origin !== HOST || !url.pathname.startsWith(base)) return './';
  return `./${url.pathname.slice(base.length)}${url.search}`;
};
