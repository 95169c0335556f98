import type { SentRequest } from '../../http/routes/sent-request.ts';

/**
 * Returns the relative URL of a status page's root from the requested URL. Links and assets of a page are relative, so
 * that the same page works on its own host and below `/status/{subdomain}`. Examples: `./` for `/status/acme/`, `acme/`
 * for `/status/acme`, `../` for `/status/acme/incidents/1`. It does not depend on the spelling of the subdomain
 * (`/status/ACME`, `/status/%61cme`), so that the cache has one copy per page.
 */
export const relativeRootFrom = (
  { path, onPageHost }: Pick<SentRequest, 'path' | 'onPageHost'>,
  { subdomain }: { subdomain: string },
): string => {
  const segments = path.split('/').slice(onPageHost ? 1 : 3);
  if (segments.length === 0) return `${subdomain}/`;
  return segments.length === 1 ? './' : '../'.repeat(segments.length - 1);
};
