import type { SentRequest } from './sent-request.ts';

/**
 * Returns whether a request was sent by a page of the same origin (CSRF protection). Browsers send the origin in
 * `Sec-Fetch-Site` over https and on loopback, and otherwise in `Origin`. Other subdomains count as other origins,
 * because they may belong to other organizations. Programs send neither header, and have no cookies of users, so their
 * requests are accepted.
 *
 * @param publicUrl value of `PUBLIC_URL`; empty if not configured
 */
export const isSameOrigin = (sent: Pick<SentRequest, 'header'>, publicUrl = ''): boolean => {
  const site = sent.header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = sent.header('origin');
  if (origin === undefined) return true;
  const host = hostOf(origin);
  // If a proxy replaces `Host`, the host in the address bar of the browser is in `X-Forwarded-Host` or PUBLIC_URL.
  const names = [sent.header('host'), sent.header('x-forwarded-host'), hostOf(publicUrl)];
  return host !== null && names.some((name) => name?.toLowerCase() === host);
};

const hostOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).host : null);
