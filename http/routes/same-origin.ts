import type { SentRequest } from './sent-request.ts';

/**
 * Whether a request was sent by a page of this very origin (CSRF). Browsers say where a request came from: by
 * `Sec-Fetch-Site` over https and on loopback, else by `Origin`. Other subdomains count as other sites: they may belong
 * to other organizations. Programs send neither, and hold no cookies of anybody.
 *
 * @param publicUrl `PUBLIC_URL`; empty without one
 */
export const isSameOrigin = (sent: Pick<SentRequest, 'header'>, publicUrl = ''): boolean => {
  const site = sent.header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = sent.header('origin');
  if (origin === undefined) return true;
  const host = hostOf(origin);
  // Behind a proxy that replaces `Host`, the name in the address bar is in this header, or in PUBLIC_URL.
  const names = [sent.header('host'), sent.header('x-forwarded-host'), hostOf(publicUrl)];
  return host !== null && names.some((name) => name?.toLowerCase() === host);
};

const hostOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).host : null);
