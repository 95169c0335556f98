import type { SentRequest } from '../../http/routes/sent-request.ts';

/**
 * Returns the URL of a status page's root, relative to the requested URL: `./` for `/status/acme/`, `acme/` for
 * `/status/acme`, `../` for `/status/acme/incidents/1`. Links and assets of a page are relative, so that the same HTML
 * works on the page's own host and below `/status/{subdomain}`. The result does not depend on the spelling of the
 * subdomain (`/status/ACME`, `/status/%61cme`), so that the cache contains one copy per page.
 */
export const relativeRootFrom = (
  { path, onPageHost }: Pick<SentRequest, 'path' | 'onPageHost'>,
  { subdomain }: { subdomain: string },
): string => {
  const segments = path.split('/').slice(onPageHost ? 1 : 3);
  if (segments.length === 0) return `${subdomain}/`;
  return segments.length === 1 ? './' : '../'.repeat(segments.length - 1);
};
