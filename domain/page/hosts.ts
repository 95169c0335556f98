import { isDomain, isSubdomain, normalizedDomain } from './names.ts';
import type { PublicPlaces } from './public-address.ts';

/** How a host name may name a page: as a subdomain of `PUBLIC_DOMAIN`, or as a custom domain in ASCII. */
export type PageName = { by: 'subdomain'; subdomain: string } | { by: 'domain'; domain: string };

/** The host of `PUBLIC_URL`, in lower case; null without one. */
export const serviceHost = ({ publicUrl }: Pick<PublicPlaces, 'publicUrl'>): string | null =>
  publicUrl === null ? null : new URL(publicUrl).hostname.replace(/\.$/, '');

/**
 * How a host name may name a page; null: no page can have it. The host of `PUBLIC_URL`, `PUBLIC_DOMAIN` itself,
 * addresses and names of one label are the service's, whatever custom domain a page has. A name below `PUBLIC_DOMAIN`
 * belongs to the page with that subdomain, never to one that has it as its custom domain.
 *
 * @param host in lower case, without a port and the dot of the root
 */
export const pageNameOf = (host: string, places: PublicPlaces): PageName | null => {
  if (host === serviceHost(places) || !host.includes('.') || !isDomain(host)) return null;
  const { publicDomain } = places;
  if (publicDomain !== null && host === publicDomain) return null;
  if (publicDomain === null || !host.endsWith(`.${publicDomain}`))
    return { by: 'domain', domain: normalizedDomain(host) };
  const subdomain = host.slice(0, -publicDomain.length - 1);
  return isSubdomain(subdomain) ? { by: 'subdomain', subdomain } : null;
};
