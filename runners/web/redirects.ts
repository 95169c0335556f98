import { Finding } from '../finding.ts';
import type { Head } from './head.ts';
import { firstValue } from './headers.ts';
import { leavesTls, redirected, type WebRequest } from './request.ts';

export const MAX_REDIRECTS = 10;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Whether an answer sends the client elsewhere. */
export const isRedirect = ({ status, headers }: Head): boolean =>
  REDIRECTS.has(status) && firstValue(headers, 'location') !== undefined;

/** A URL as a sentence may show it: what may hold secrets is left out. */
const shown = ({ origin, pathname, search }: URL): string => {
  const text = `${origin}${pathname}${search === '' ? '' : '?…'}`;
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
};

const key = ({ method, url }: WebRequest): string => `${method} ${url.href}`;

const failed = (sentence: string): Finding => new Finding('failed', 'redirect', sentence);

/** Where an answer sends the client. @throws Finding */
const locationOf = (location: string, { url }: WebRequest): URL => {
  let target: URL;
  try {
    target = new URL(location, url);
  } catch {
    throw failed('The redirect leads to an address that is no URL.');
  }
  if (target.protocol !== 'http:' && target.protocol !== 'https:')
    throw failed(`The redirect leads to a ${target.protocol.slice(0, -1)} URL, which is not http or https.`);
  target.username = '';
  target.password = '';
  target.hash = '';
  return target;
};

/** Follows the redirects of one run, and ends those that lead nowhere. */
export const createRedirects = () => {
  const trail: WebRequest[] = [];

  return {
    count: (): number => trail.length,
    /**
     * The request that follows an answer that {@link isRedirect}.
     *
     * @throws Finding a loop, too many, or an address that is not followed
     */
    next: (request: WebRequest, { status, headers }: Head): WebRequest => {
      trail.push(request);
      const url = locationOf(firstValue(headers, 'location') ?? '', request);
      if (trail.length > MAX_REDIRECTS)
        throw failed(`More than ${MAX_REDIRECTS.toString()} redirects, the last one to ${shown(url)}.`);
      const next = redirected(request, status, url);
      if (next.body !== null && leavesTls(request.url, url))
        throw failed(`The redirect would send the request body unencrypted to ${shown(url)}.`);
      const start = trail.findIndex((before) => key(before) === key(next));
      if (start !== -1) {
        const loop = [...trail.slice(start), next].map((step) => shown(step.url));
        throw failed(`Redirect loop: ${loop.join(' → ')}.`);
      }
      return next;
    },
  };
};
