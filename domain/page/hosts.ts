import { isDomain, isSubdomain, normalizedDomain } from './names.ts';
import type { PublicAddressSettings } from './public-address.ts';

/** The page that a host name addresses: by a subdomain of `PUBLIC_DOMAIN`, or by a custom domain in ASCII. */
export type PageName = { by: 'subdomain'; subdomain: string } | { by: 'domain'; domain: string };

/** The host of `PUBLIC_URL`, in lower case; null if it is not set. */
export const serviceHost = ({ publicUrl }: Pick<PublicAddressSettings, 'publicUrl'>): string | null =>
  publicUrl === null ? null : new URL(publicUrl).hostname.replace(/\.$/, '');

/**
 * Resolves a host name to the name of a page; null if no page can have it. The host of `PUBLIC_URL`, `PUBLIC_DOMAIN`
 * itself, IP addresses and names of one label always belong to the service, even if a page has them as its custom domain.
 * A name below `PUBLIC_DOMAIN` belongs to the page with that subdomain, not to a page with that custom domain.
 *
 * @param host in lower case, without a port and a trailing dot
 */
export const pageNameOf = (host: string, places: PublicAddressSettings): PageName | null => {
  if (host === serviceHost(places) || !host.includes('.') || !isDomain(host)) return null;
  const { publicDomain } = places;
  if (publicDomain !== null && host === publicDomain) return null;
  if (publicDomain === null || !host.endsWith(`.${publicDomain}`))
    return { by: 'domain', domain: normalizedDomain(host) };
  const subdomain = host.slice(0, -publicDomain.length - 1);
  return isSubdomain(subdomain) ? { by: 'subdomain', subdomain } : null;
};
