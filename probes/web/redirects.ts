import { locationIn } from '../../network/http/fields.ts';
import type { ResponseHead } from '../../network/http/response-head.ts';
import { ProbeFailure } from '../engine/probe-failure.ts';
import type { Mask } from '../engine/masking.ts';
import { createCookies } from './cookies.ts';
import { leavesTls, redirected, type WebRequest } from './request.ts';

export const MAX_REDIRECTS = 10;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Whether a response is a redirect. */
export const isRedirect = ({ status, headers }: ResponseHead): boolean =>
  REDIRECTS.has(status) && locationIn(headers) !== undefined;

/** A URL for display: parts that may contain secrets are removed or masked, and it is shortened. */
export const shownUrl = ({ origin, pathname, search }: URL, mask: Mask): string => {
  const text = mask(`${origin}${pathname}${search === '' ? '' : '?…'}`);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
};

const key = ({ method, url, headers }: WebRequest): string => `${method} ${url.href} ${headers['cookie'] ?? ''}`;

const failed = (sentence: string): ProbeFailure => new ProbeFailure('failed', 'redirect', sentence);

/** The target of a redirect. @throws ProbeFailure */
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
  /** its target, without parts that may contain secrets */
  url: string;
}

/**
 * Follows the redirects of one run, with the cookies that they set, and detects those that lead nowhere.
 *
 * @param mask replaces secrets in sentences about addresses
 */
export const createRedirects = (mask: Mask) => {
  const shown = (url: URL): string => shownUrl(url, mask);
  const cookies = createCookies();
  const trail: WebRequest[] = [];
  const steps: Step[] = [];

  /** Adds the cookies for its URL to a request. */
  const sent = (request: WebRequest): WebRequest => {
    const cookie = cookies.headerFor(request.url, request.headers['cookie']);
    return cookie === undefined ? request : { ...request, headers: { ...request.headers, cookie } };
  };

  return {
    steps: (): readonly Step[] => steps,
    sent,
    /**
     * The next request after a response for which {@link isRedirect} is true; {@link outcome} adds cookies.
     *
     * @throws ProbeFailure a loop, too many redirects, or an address that is not followed
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
      // A page that sets a cookie and redirects to itself is not a loop.
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
