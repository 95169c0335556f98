import { locationIn } from '../../network/http/fields.ts';
import type { ResponseHead } from '../../network/http/response-head.ts';
import { ProbeFailure } from '../engine/probe-failure.ts';
import type { Mask } from '../engine/masking.ts';
import { createCookies } from './cookies.ts';
import { leavesTls, redirected, type WebRequest } from './request.ts';

export const MAX_REDIRECTS = 10;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Returns whether a response is a redirect with a target. */
export const isRedirect = ({ status, headers }: ResponseHead): boolean =>
  REDIRECTS.has(status) && locationIn(headers) !== undefined;

/** Formats a URL for display. Removes or masks parts that may contain secrets, and shortens the URL. */
export const shownUrl = ({ origin, pathname, search }: URL, mask: Mask): string => {
  const text = mask(`${origin}${pathname}${search === '' ? '' : '?…'}`);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
};

const key = ({ method, url, headers }: WebRequest): string => `${method} ${url.href} ${headers['cookie'] ?? ''}`;

const failed = (sentence: string): ProbeFailure => new ProbeFailure('failed', 'redirect', sentence);

/** Returns the target of a redirect. @throws ProbeFailure if the target is not an HTTP URL */
const locationOf = (location: string, { url }: WebRequest): URL => {
  let target: URL;
  try {
    target = new URL(location, url);
  } catch {
    throw failed('The redirect leads to an address that is not a URL.');
  }
  if (target.protocol !== 'http:' && target.protocol !== 'https:')
    throw failed(`The redirect leads to a ${target.protocol.slice(0, -1)} URL, which is not http or https.`);
  target.username = '';
  target.password = '';
  target.hash = '';
  return target;
};

/** A redirect that was followed. */
export interface Step {
  status_code: number;
  /** target of the redirect, without parts that may contain secrets */
  url: string;
}

/**
 * Follows the redirects of one run, and sends the cookies that they set. Detects loops.
 *
 * @param mask replaces secrets in sentences about URLs
 */
export const createRedirects = (mask: Mask) => {
  const shown = (url: URL): string => shownUrl(url, mask);
  const cookies = createCookies();
  const trail: WebRequest[] = [];
  const steps: Step[] = [];

  /** Adds cookies to a request. */
  const sent = (request: WebRequest): WebRequest => {
    const cookie = cookies.headerFor(request.url, request.headers['cookie']);
    return cookie === undefined ? request : { ...request, headers: { ...request.headers, cookie } };
  };

  return {
    steps: (): readonly Step[] => steps,
    sent,
    /**
     * Returns the next request after a redirect, a response for which {@link isRedirect} is true. The request has no
     * cookies: `sent` adds them.
     *
     * @throws ProbeFailure if there is a loop, if there are too many redirects, or if the target must not be requested
     */
    next: (request: WebRequest, { status, headers }: ResponseHead): WebRequest => {
      trail.push(sent(request));
      cookies.take(request.url, headers);
      const url = locationOf(locationIn(headers) ?? '', request);
      if (trail.length > MAX_REDIRECTS)
        throw failed(`More than ${MAX_REDIRECTS} redirects, the last one to ${shown(url)}.`);
      const next = redirected(request, status, url);
      if (next.body !== null && leavesTls(request.url, url))
        throw failed(`The redirect would send the request body unencrypted to ${shown(url)}.`);
      // Cookies are compared too, because a page that sets a cookie and redirects to itself is not a loop.
      const start = trail.findIndex((before) => key(before) === key(sent(next)));
      if (start !== -1) {
        const loop = [...trail.slice(start), next].map((step) => shown(step.url));
        throw failed(`Redirect loop: ${loop.join(' → ')}.`);
      }
      steps.push({ status_code: status, url: shown(url) });
      return next;
    },
  };
};
