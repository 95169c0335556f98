import { HttpError } from '../../../http/errors.ts';
import type { SentRequest } from '../../../http/routes/sent-request.ts';

/**
 * Refuses a form that another site has sent in the name of a visitor (CSRF). Browsers say where a form came from:
 * by `Sec-Fetch-Site` over https, else by `Origin`. Other subdomains count as other sites: they belong to other organizations.
 * Programs, which send neither, hold no cookies of anybody.
 *
 * @throws HttpError 403
 */
export const requireOwnForm = (sent: SentRequest): void => {
  if (!isOwn(sent))
    throw new HttpError(403, 'This form was sent from another site. Please open the page and try again.');
};

const isOwn = (sent: SentRequest): boolean => {
  const site = sent.header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const origin = sent.header('origin');
  if (origin === undefined) return true;
  const host = URL.canParse(origin) ? new URL(origin).host : null;
  // Behind a proxy that replaces `Host`, the name that the visitor sees is the page's own, or in this header.
  const names = [sent.header('host'), sent.header('x-forwarded-host')];
  return host !== null && names.some((name) => name?.toLowerCase() === host);
};
