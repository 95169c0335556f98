import type { SentRequest } from './sent-request.ts';

/**
 * Whether a request was sent by a page of the same origin (CSRF protection). Browsers report the origin in
 * `Sec-Fetch-Site` over https and on loopback, otherwise in `Origin`. Other subdomains count as other origins, since
 * they may belong to other organizations. Programs send neither header and have no cookies of users.
 *
 * @param publicUrl `PUBLIC_URL`; empty if not configured
 */
export const isSameOrigin = (sent: Pick<SentRequest, 'header'>, publicUrl = ''): boolean => {
  const site = sent.header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = sent.header('origin');
  if (origin === undefined) return true;
  const host = hostOf(origin);
  // Behind a proxy that replaces `Host`, the host in the address bar is in `X-Forwarded-Host` or PUBLIC_URL.
  const names = [sent.header('host'), sent.header('x-forwarded-host'), hostOf(publicUrl)];
  return host !== null && names.some((name) => name?.toLowerCase() === host);
};

const hostOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).host : null);
